package dev.ratelimit.testing;

import dev.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitRedisAutoConfiguration;
import dev.ratelimit.autoconfigure.RateLimitTimeAutoConfiguration;
import dev.ratelimit.base.WallClock;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} of time and store in tests with
 * {@link dev.ratelimit.testing.AutoConfigureRateLimit @AutoConfigureRateLimit}.
 * Applications do not use it.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = { RateLimitTimeAutoConfiguration.class, RateLimitAutoConfiguration.class,
		RateLimitRedisAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "ratelimit.enabled", matchIfMissing = true)
public final class RateLimitTestAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ManualClock rateLimitManualClock() {
		return new ManualClock();
	}

	@Bean
	@ConditionalOnMissingBean(LimitStore.class)
	TestLimitStore testLimitStore(ManualClock clock) {
		return new TestLimitStore(clock);
	}

	// The time of deadlines goes on. Each advance of the clock lets bans end.
	@Bean
	@ConditionalOnMissingBean
	Time rateLimitTime(ManualClock clock) {
		return () -> Time.SYSTEM.nanos() + clock.advancedNanos();
	}

	@Bean
	@ConditionalOnMissingBean
	WallClock rateLimitWallClock(ManualClock clock) {
		return new WallClock(clock::instant);
	}

}
