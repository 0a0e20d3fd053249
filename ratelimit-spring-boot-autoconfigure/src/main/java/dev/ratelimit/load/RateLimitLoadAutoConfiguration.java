package dev.ratelimit.load;

import dev.ratelimit.Phase;
import dev.ratelimit.autoconfigure.WebStack;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.SplitPatterns;
import dev.ratelimit.web.Callers;
import dev.ratelimit.web.LevelHeaderCounts;
import dev.ratelimit.web.LevelRule;
import dev.ratelimit.web.Levels;
import dev.ratelimit.web.RequestGate;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * {@link AutoConfiguration Auto-configuration} of the load guard, if it is enabled, and
 * of the levels of requests, which rules with a reserve use even without the guard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "dev.ratelimit.web.servlet.RateLimitServletAutoConfiguration",
		"dev.ratelimit.web.reactive.RateLimitWebFluxAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LoadProperties.class)
public final class RateLimitLoadAutoConfiguration {

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RequestGate.class)
	@ConditionalOnProperty("ratelimit.load.header")
	static class LevelHeader {

		@Bean
		LevelHeaderCounts rateLimitLevelHeaderCounts() {
			return new LevelHeaderCounts();
		}

		@Bean
		LevelHeaderCheck rateLimitLevelHeaderCheck(LoadProperties load, LevelHeaderCounts counts) {
			return new LevelHeaderCheck(String.valueOf(load.header()), load.trustedUpstreams(), load.localUpstreams(),
					counts);
		}

	}

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RequestGate.class)
	static class RequestLevels {

		@Bean
		@ConditionalOnMissingBean
		Levels rateLimitLevels(LoadProperties load, Callers callers, ObjectProvider<LevelHeaderCounts> counts) {
			String header = load.header();
			if (header == null && load.classify().isEmpty()) {
				return Levels.NONE;
			}
			return new Levels((header != null) ? header : "", load.upstreams(),
					load.classify().stream().map(RequestLevels::rule).toList(), callers.authorities(),
					counts.getIfAvailable(LevelHeaderCounts::new));
		}

		private static LevelRule rule(LoadProperties.Classification entry) {
			String authority = entry.authority();
			return new LevelRule(SplitPatterns.rejoined(entry.paths())
				.stream()
				.map(PathPatternParser.defaultInstance::parse)
				.toList(), (authority != null) ? authority : "", entry.level(), entry.longLived());
		}

	}

	@Order(1)
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RequestGate.class)
	@ConditionalOnBooleanProperty("ratelimit.load.enabled")
	static class Guard {

		@Bean
		@ConditionalOnMissingBean
		LoadThreads rateLimitLoadThreads(LoadProperties load, ApplicationContext context) {
			return LoadThreads.of(load.settings(), context);
		}

		@Bean
		@ConditionalOnMissingBean
		LoadGuard rateLimitLoadGuard(LoadThreads threads, RateLimitEngine engine) {
			return new LoadGuard(threads.settings(), engine.nanos());
		}

		@Bean
		@ConditionalOnMissingBean
		SeatStage rateLimitLoadStage(LoadGuard guard, LoadProperties load, WebStack stack, RateLimitEngine engine,
				Levels levels) {
			Phase phase = (stack.phased()) ? load.phase() : Phase.LATE;
			return new SeatStage(guard, levels, phase, load.queue().flow() == LoadProperties.Flow.CALLER,
					engine::nanos);
		}

		@Bean
		LoadThreadsCheck rateLimitLoadThreadsCheck(LoadThreads threads, Environment environment) {
			return threads.check(environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean({ LoadGuard.class, MeterRegistry.class })
	static class Meters {

		@Bean
		@ConditionalOnMissingBean
		LoadMetrics rateLimitLoadMetrics(LoadGuard guard) {
			return new LoadMetrics(guard);
		}

	}

}
