package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.actuate.EndpointPart;
import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.autoconfigure.WebGateConfiguration;
import dev.ratelimit.base.ActiveRules;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.hold.HoldingStatus;
import dev.ratelimit.store.hold.MaxHoldCheck;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.ReserveCheck;
import dev.ratelimit.web.reactive.ReactorNettyCheck;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.netty.http.server.HttpServer;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * {@link AutoConfiguration Auto-configuration} of the doctor and its checks.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "dev.ratelimit.autoconfigure.RateLimitAutoConfiguration",
		"dev.ratelimit.autoconfigure.RateLimitMemoryStoreAutoConfiguration",
		"dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration",
		"dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DoctorProperties.class)
public final class RateLimitDoctorAutoConfiguration {

	private static final String TRUSTED_PROXIES = "ratelimit.client-address.trusted-proxies";

	/** The default of Tomcat for the maximum content that it swallows. */
	private static final DataSize SWALLOWED = DataSize.ofMegabytes(2);

	// Whether Tomcat reads the remaining content of rejected requests on a platform
	// thread.
	private static boolean keepsThreads(Environment environment, ListableBeanFactory beans) {
		DataSize size = environment.getProperty("server.tomcat.max-swallow-size", DataSize.class, SWALLOWED);
		return size.toBytes() != 0 && !Threading.VIRTUAL.isActive(environment) && WebGateConfiguration.isTomcat(beans);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "ratelimit.doctor.enabled", matchIfMissing = true)
	@ConditionalOnBean(RateLimitEngine.class)
	static class Enabled {

		@Bean
		@ConditionalOnMissingBean
		RuleChecks rateLimitRuleChecks(ActiveRules.Reference active, ObjectProvider<LeaseStatus> leases) {
			return new RuleChecks(active::get, leases.stream().findAny().isPresent());
		}

		@Bean
		@ConditionalOnBean(HoldingStatus.class)
		MaxHoldCheck rateLimitMaxHoldCheck(HoldingStatus status) {
			return new MaxHoldCheck(status::ended);
		}

		@Bean
		OtherLimitersCheck rateLimitOtherLimitersCheck(ConfigurableEnvironment environment) {
			return new OtherLimitersCheck(environment, OtherLimitersCheck::isOnClassPath);
		}

		@Bean
		TrustedProxiesCheck rateLimitTrustedProxiesCheck(Environment environment) {
			return new TrustedProxiesCheck(TRUSTED_PROXIES,
					Binder.get(environment).bind(TRUSTED_PROXIES, Bindable.listOf(String.class)).orElse(List.of()));
		}

		@Bean
		@ConditionalOnMissingBean
		Doctor rateLimitDoctor(ObjectProvider<Check> checks, ObjectProvider<WallClock> clock) {
			return new Doctor(checks.orderedStream().toList(), clock.getIfAvailable(WallClock::system).source());
		}

		@Bean
		EndpointPart rateLimitDoctorEndpointPart(Doctor doctor) {
			return FindingsResource.part(doctor);
		}

		@Bean
		DoctorLifecycle rateLimitDoctorLifecycle(Doctor doctor, DoctorProperties properties, Upkeep upkeep) {
			return new DoctorLifecycle(doctor, properties.interval(), upkeep);
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnBean(RequestGate.class)
		static class Requests {

			@Bean
			@ConditionalOnMissingBean
			RequestObservations rateLimitRequestObservations(ObjectProvider<WallClock> clock) {
				return new RequestObservations(clock.getIfAvailable(WallClock::system).source(),
						(request) -> request.client().behindProxy());
			}

			@Bean
			@ConditionalOnMissingBean
			RequestChecks rateLimitRequestChecks(RequestObservations observations) {
				return new RequestChecks(observations);
			}

			@Bean
			@ConditionalOnMissingBean
			UnmatchedCheck rateLimitUnmatchedCheck(RequestObservations observations, ActiveRules.Reference active,
					DoctorProperties properties, ObjectProvider<WallClock> clock) {
				return new UnmatchedCheck(observations, properties.unmatchedAfter(),
						clock.getIfAvailable(WallClock::system).source(), active::get);
			}

			@Bean
			ReserveCheck rateLimitReserveCheck(RequestGate gate, Editions editions) {
				return new ReserveCheck(gate, editions);
			}

			@Bean
			@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
			SwallowedContentCheck rateLimitSwallowedContentCheck(RequestObservations observations,
					Environment environment, ListableBeanFactory beans) {
				return new SwallowedContentCheck(keepsThreads(environment, beans), observations);
			}

			@Configuration(proxyBeanMethods = false)
			@ConditionalOnClass(MeterRegistry.class)
			@ConditionalOnBean(MeterRegistry.class)
			static class Meters {

				@Bean
				MissingKeyMetrics rateLimitMissingKeyMetrics(MeterRegistry registry, RequestObservations observations,
						Editions editions) {
					return MissingKeyMetrics.of(registry, observations, editions);
				}

			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(HttpServer.class)
		@ConditionalOnBean(type = "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory")
		static class ReactorNettyServer {

			@Bean
			ReactorNettyCheck rateLimitReactorNettyCheck() {
				return new ReactorNettyCheck(HttpServer.class.getPackage().getImplementationVersion());
			}

		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
		@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
		static class Live {

			@Bean
			FindingsResource rateLimitLiveFindingsResource(Doctor doctor) {
				return new FindingsResource(doctor);
			}

		}

	}

}
