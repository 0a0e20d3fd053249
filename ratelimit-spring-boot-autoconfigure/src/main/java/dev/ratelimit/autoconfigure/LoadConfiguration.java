package dev.ratelimit.autoconfigure;

import dev.ratelimit.Phase;
import dev.ratelimit.doctor.LevelHeaderCheck;
import dev.ratelimit.doctor.LoadThreadsCheck;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.web.Callers;
import dev.ratelimit.web.LevelHeaderCounts;
import dev.ratelimit.web.LevelRule;
import dev.ratelimit.web.Levels;
import dev.ratelimit.web.LoadStage;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * What protects this instance against more requests than it can process.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("ratelimit.load.enabled")
final class LoadConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LoadThreads rateLimitLoadThreads(RateLimitProperties properties, ApplicationContext context) {
		return LoadThreads.of(properties.load().settings(), context);
	}

	@Bean
	@ConditionalOnMissingBean
	LoadGuard rateLimitLoadGuard(LoadThreads threads, RateLimitEngine engine) {
		return new LoadGuard(threads.settings(), engine.nanos());
	}

	@Bean
	@ConditionalOnMissingBean
	LoadStage rateLimitLoadStage(LoadGuard guard, RateLimitProperties properties, Callers callers, WebStack stack,
			RateLimitEngine engine, LevelHeaderCounts counts) {
		LoadProperties load = properties.load();
		Phase phase = (stack.phased()) ? load.phase() : Phase.LATE;
		return new LoadStage(guard, levels(load, callers, counts), phase,
				load.queue().flow() == LoadProperties.Flow.CALLER, engine::nanos);
	}

	@Bean
	LevelHeaderCounts rateLimitLevelHeaderCounts() {
		return new LevelHeaderCounts();
	}

	@Bean
	LoadThreadsCheck rateLimitLoadThreadsCheck(LoadThreads threads, Environment environment) {
		return threads.check(environment);
	}

	@Bean
	@ConditionalOnProperty("ratelimit.load.header")
	LevelHeaderCheck rateLimitLevelHeaderCheck(RateLimitProperties properties, LevelHeaderCounts counts) {
		LoadProperties load = properties.load();
		return new LevelHeaderCheck(String.valueOf(load.header()), load.trustedUpstreams(), load.localUpstreams(),
				counts);
	}

	private static Levels levels(LoadProperties load, Callers callers, LevelHeaderCounts counts) {
		String header = load.header();
		return new Levels((header != null) ? header : "", load.upstreams(),
				load.classify().stream().map(LoadConfiguration::rule).toList(), callers.authorities(), counts);
	}

	private static LevelRule rule(LoadProperties.Classification entry) {
		String authority = entry.authority();
		return new LevelRule(entry.paths().stream().map(PathPatternParser.defaultInstance::parse).toList(),
				(authority != null) ? authority : "", entry.level(), entry.longLived());
	}

}
