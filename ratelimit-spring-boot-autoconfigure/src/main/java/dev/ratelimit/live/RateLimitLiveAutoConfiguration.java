package dev.ratelimit.live;

import java.nio.file.Path;
import java.util.Optional;

import dev.ratelimit.actuate.HealthPart;
import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.autoconfigure.InstanceCount;
import dev.ratelimit.autoconfigure.PropertyGroups;
import dev.ratelimit.autoconfigure.RateLimitProperties;
import dev.ratelimit.base.InstanceName;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/**
 * {@link AutoConfiguration Auto-configuration} of rules that change while the application
 * runs, if there is a source of them, and of switches.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "dev.ratelimit.autoconfigure.RateLimitAutoConfiguration",
		"dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration",
		"dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration",
		"dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LiveProperties.class)
public final class RateLimitLiveAutoConfiguration {

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "ratelimit.live.source", havingValue = "file")
	@ConditionalOnBean(RateLimitEngine.class)
	@ConditionalOnMissingBean(RuleSource.class)
	static class WatchedFile {

		@Bean
		FileRuleSource rateLimitFileRuleSource(LiveProperties live, Upkeep upkeep) {
			return new FileRuleSource(Path.of(Optional.ofNullable(live.file()).orElse("")), upkeep);
		}

	}

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "ratelimit.live.source", havingValue = "etcd")
	@ConditionalOnBean(RateLimitEngine.class)
	@ConditionalOnMissingBean(RuleSource.class)
	static class Etcd {

		@Bean(destroyMethod = "close")
		EtcdRuleSource rateLimitEtcdRuleSource(LiveProperties live, ObjectProvider<SslBundles> bundles, Upkeep upkeep) {
			return new EtcdRuleSource(live.etcd().settings(bundles.getIfAvailable()), upkeep);
		}

	}

	@Order(2)
	@Configuration(proxyBeanMethods = false)
	@Conditional(LiveSourceCondition.class)
	@ConditionalOnBean({ RateLimitEngine.class, RuleSource.class })
	@Import({ LiveRulesConfiguration.class, SwitchesConfiguration.class })
	static class Following {

		@Bean
		LiveRules rateLimitLiveRules(RuleSource source, EffectiveRules rules, LiveThread thread, LiveProperties live,
				ApplicationContext context, Time time) {
			return new LiveRules(source, rules, thread, live.settings(), context::publishEvent, time);
		}

		@Bean
		InstanceReport rateLimitInstanceReport(LiveRules rules, InstanceName name, ObjectProvider<InstanceBoard> board,
				ObjectProvider<InstanceCount> count) {
			InstanceCount sharing = count.getIfAvailable(() -> () -> 1);
			return new InstanceReport(name.id(), name.host(), rules, board.stream().findFirst(), sharing::get);
		}

		@Bean
		LiveRulesCheck rateLimitLiveRulesCheck(LiveRules rules) {
			return new LiveRulesCheck(rules);
		}

	}

	/**
	 * Configuration for rules in properties that Spring Cloud refreshes.
	 */
	@Order(2)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = EnvironmentRules.EVENT)
	@ConditionalOnBean(RateLimitEngine.class)
	@Import(LiveRulesConfiguration.class)
	static class Refreshed {

		@Bean
		EnvironmentRules rateLimitEnvironmentRules(Environment environment, EffectiveRules rules,
				RateLimitProperties properties, ResourceLoader resources) {
			return new EnvironmentRules(environment, rules, properties,
					PropertyGroups.load(resources.getClassLoader()));
		}

	}

	/**
	 * Configuration of the parts of the endpoint.
	 */
	@Order(3)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	@ConditionalOnBean(RateLimitEngine.class)
	@ConditionalOnAvailableEndpoint(RateLimitLiveEndpoint.class)
	@Import({ LiveRulesConfiguration.class, SwitchesConfiguration.class })
	static class Resources {

		@Bean
		LiveOverview rateLimitLiveOverview(ObjectProvider<LiveRules> rules, Switches switches) {
			return new LiveOverview(rules.stream().findFirst(), switches);
		}

		@Bean
		@ConditionalOnBean(InstanceReport.class)
		LiveInstancesResource rateLimitLiveInstancesResource(InstanceReport report) {
			return new LiveInstancesResource(report);
		}

		@Bean
		LiveSwitchesResource rateLimitLiveSwitchesResource(Switches switches, ApplicationEventPublisher events) {
			return new LiveSwitchesResource(switches, events);
		}

	}

	@Order(4)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	@ConditionalOnBean(Switches.class)
	@ConditionalOnEnabledHealthIndicator("ratelimit")
	static class LimiterHealth {

		@Bean
		HealthPart rateLimitLiveHealth(ObjectProvider<LiveRules> rules, Switches switches) {
			return new LiveHealth(rules.stream().findFirst(), switches);
		}

	}

	@Order(4)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ Switches.class, MeterRegistry.class })
	static class Meters {

		@Bean
		@ConditionalOnMissingBean
		LiveMetrics rateLimitLiveMetrics(ObjectProvider<LiveRules> rules, Switches switches) {
			return new LiveMetrics(rules.stream().findFirst(), Optional.of(switches));
		}

	}

}
