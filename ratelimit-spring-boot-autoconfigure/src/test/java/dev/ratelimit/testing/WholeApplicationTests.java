package dev.ratelimit.testing;

import java.time.Duration;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.Reason;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link AutoConfigureRateLimit} in a whole application that uses Redis.
 */
@SpringBootTest(classes = SliceApplication.class)
@AutoConfigureRateLimit
@TestPropertySource(properties = { "ratelimit.store=redis", "ratelimit.redis.host=redis.invalid",
		"ratelimit.events.stream.enabled=true", "ratelimit.rules.orders=/orders 5/min per ip",
		"ratelimit.bans.enabled=true", "ratelimit.rules.partner.programmatic=true",
		"ratelimit.rules.partner.key=global", "ratelimit.rules.partner.limit=5/min" })
class WholeApplicationTests {

	@Autowired
	private RateLimiter limiter;

	@Autowired
	private ManualClock clock;

	private Reason charge() {
		return this.limiter.acquireBlocking("partner", "global").reason();
	}

	// Each repetition would fail if the previous one left a pause.
	@RepeatedTest(2)
	void pausesAreInMemoryAndEndByTheClock() {
		assertThat(charge()).isEqualTo(Reason.WITHIN_LIMITS);
		this.limiter.pause("partner", "global", Duration.ofHours(1)).block();
		assertThat(charge()).isEqualTo(Reason.PAUSED);
		this.clock.advance(Duration.ofHours(1));
		assertThat(charge()).isEqualTo(Reason.WITHIN_LIMITS);
		this.limiter.pause("partner", "global", Duration.ofHours(1)).block();
	}

}
