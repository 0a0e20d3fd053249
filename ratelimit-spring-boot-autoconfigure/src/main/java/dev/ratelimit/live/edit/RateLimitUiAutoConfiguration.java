package dev.ratelimit.live.edit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;

import dev.ratelimit.actuate.LiveAccess;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.actuate.RateLimitLiveEndpoint;
import dev.ratelimit.actuate.RuleTallies;
import dev.ratelimit.actuate.RuleTalliesConfiguration;
import dev.ratelimit.actuate.StoreDescription;
import dev.ratelimit.base.InstanceName;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.LiveOverview;
import dev.ratelimit.live.Switches;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.OtherStores;
import dev.ratelimit.store.guard.StoreStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of the live page.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "dev.ratelimit.actuate.RateLimitLiveEndpointAutoConfiguration",
		"dev.ratelimit.actuate.RateLimitMetricsAutoConfiguration",
		"dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration",
		"dev.ratelimit.live.RateLimitLiveAutoConfiguration" })
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(RateLimitEngine.class)
@ConditionalOnAvailableEndpoint(RateLimitUiEndpoint.class)
public final class RateLimitUiAutoConfiguration {

	private static final EndpointId PAGE = EndpointId.of("ratelimitui");

	private static final EndpointId FIGURES = EndpointId.of("ratelimitlive");

	// The paths are known only after all endpoints are created, so the link is resolved
	// later.
	@Bean
	@ConditionalOnMissingBean
	RateLimitUiEndpoint rateLimitUiEndpoint(ObjectProvider<PathMappedEndpoints> endpoints) {
		return new RateLimitUiEndpoint(
				() -> endpoints.stream().findFirst().map(RateLimitUiAutoConfiguration::link).orElse(""));
	}

	// The link is relative, so that it works behind proxies that change the path.
	private static String link(PathMappedEndpoints endpoints) {
		@Nullable PathMappedEndpoint page = endpoints.getEndpoint(PAGE);
		@Nullable PathMappedEndpoint figures = endpoints.getEndpoint(FIGURES);
		if (page == null || figures == null) {
			return "";
		}
		int depth = (int) page.getRootPath().chars().filter((character) -> character == '/').count();
		return String.join("", Collections.nCopies(depth, "../")) + figures.getRootPath();
	}

	/**
	 * Configuration of the figures that the page reads.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RateLimitLiveEndpoint.class)
	@Import(RuleTalliesConfiguration.class)
	static class Figures {

		/** The interval of samples: two in each step of the history. */
		private static final Duration SAMPLING = Duration.ofSeconds(5);

		@Bean
		RateHistory rateLimitRateHistory(RateLimitEngine engine, RuleTallies tallies) {
			return new RateHistory(engine.requests(), tallies);
		}

		@Bean
		Upkeep.Task rateLimitRateHistoryUpkeep(RateHistory history, Upkeep upkeep, ObjectProvider<WallClock> clock) {
			InstantSource time = clock.getIfAvailable(WallClock::system).source();
			return upkeep.start(Duration.ZERO, SAMPLING, "Failed to count the requests of the live page",
					() -> history.sample(time.millis()));
		}

		@Bean
		LiveRatesResource rateLimitLiveRatesResource(InstanceName name, Environment environment, RateHistory history,
				Editions editions) {
			return new LiveRatesResource(instance(name, environment), history, editions);
		}

		private static LivePageResource.Instance instance(InstanceName name, Environment environment) {
			return new LivePageResource.Instance(name.id(), name.host(),
					environment.getProperty("spring.application.name", ""));
		}

		@Bean
		LivePageResource rateLimitLivePageResource(InstanceName name, RateLimitEngine engine, RuleTallies tallies,
				LimitStore store, ObjectProvider<StoreStatus> status, ObjectProvider<OtherStores> others,
				LiveOverview overview, Switches switches, LiveAccess access, ObjectProvider<WallClock> clock,
				ObjectProvider<LiveResource> parts, Environment environment) {
			return new LivePageResource(instance(name, environment),
					() -> parts.stream().map(LiveResource::name).sorted().toList(), engine.editions(),
					engine.requests(), tallies, new LivePageResource.Rows(),
					StoreDescription.supplier(store, status.stream().findFirst(),
							others.getIfAvailable(() -> OtherStores.NONE)),
					overview::description, switches, access, clock.getIfAvailable(WallClock::system).source());
		}

	}

}
