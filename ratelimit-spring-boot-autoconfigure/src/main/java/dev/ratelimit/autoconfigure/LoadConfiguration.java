package dev.ratelimit.autoconfigure;

import dev.ratelimit.Phase;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.load.LoadThreads;
import dev.ratelimit.load.LoadThreadsCheck;
import dev.ratelimit.load.SeatStage;
import dev.ratelimit.web.Callers;
import dev.ratelimit.web.LevelHeaderCounts;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

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
	SeatStage rateLimitLoadStage(LoadGuard guard, RateLimitProperties properties, Callers callers, WebStack stack,
			RateLimitEngine engine, ObjectProvider<LevelHeaderCounts> counts) {
		LoadProperties load = properties.load();
		Phase phase = (stack.phased()) ? load.phase() : Phase.LATE;
		return new SeatStage(guard, RequestLevels.of(load, callers, counts), phase,
				load.queue().flow() == LoadProperties.Flow.CALLER, engine::nanos);
	}

	@Bean
	LoadThreadsCheck rateLimitLoadThreadsCheck(LoadThreads threads, Environment environment) {
		return threads.check(environment);
	}

}
