package dev.ratelimit.live.redis;

import java.time.Instant;

import dev.ratelimit.store.redis.RedisClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LiveClockTests {

	private static final long START = 1_790_000_000_000L;

	private long nanos = 5_000_000_000L;

	private long server = START;

	private final LiveClock clock = clock(RedisClock.SERVER);

	private LiveClock clock(RedisClock whose) {
		return new LiveClock(whose, () -> Instant.ofEpochMilli(42), () -> this.nanos);
	}

	@Test
	void theSystemsTimeUntilThatOfTheServerIsKnown() {
		assertThat(this.clock.nowMillis()).isEqualTo(42);
		call(0, 0);
		assertThat(this.clock.nowMillis()).isEqualTo(START);
		pass(1500);
		assertThat(this.clock.nowMillis()).isEqualTo(START + 1500);
	}

	@Test
	void theQuickestOfEightCallsIsBelieved() {
		call(30, 1);
		assertThat(this.clock.nowMillis()).isEqualTo(this.server + 30);
		call(2, 1);
		assertThat(this.clock.nowMillis()).isEqualTo(this.server + 2);
		for (int i = 0; i < 7; i++) {
			call(20, 1);
			assertThat(this.clock.nowMillis()).isEqualTo(this.server + 2);
		}
		call(20, 1);
		assertThat(this.clock.nowMillis()).isEqualTo(this.server + 20);
	}

	@Test
	void aClockThatIsSetIsFollowedAtTheNextReply() {
		call(1, 1);
		this.server += 10_000;
		call(3, 1);
		assertThat(this.clock.nowMillis()).isEqualTo(this.server + 3);
		this.server -= 20_000;
		call(3, 1);
		assertThat(this.clock.nowMillis()).isEqualTo(this.server + 3);
	}

	@Test
	void theEarliestTimeIsNeverAfterTheServers() {
		assertThat(this.clock.earliestMillis()).isEqualTo(42);
		for (int there : new int[] { 30, 2, 0, 40 }) {
			call(there, 3);
			assertThat(this.clock.earliestMillis()).isBetween(this.server - 5, this.server);
			pass(700);
			assertThat(this.clock.earliestMillis()).isBetween(this.server - 5, this.server);
		}
		this.server -= 20_000;
		call(3, 1);
		assertThat(this.clock.earliestMillis()).isBetween(this.server - 3, this.server);
	}

	@Test
	void anInstanceThatCountsByItsOwnClockLearnsNothing() {
		LiveClock own = clock(RedisClock.CLIENT);
		own.saw(START, this.nanos);
		assertThat(own.nowMillis()).isEqualTo(42);
		assertThat(own.shared()).isFalse();
	}

	private void call(long there, long back) {
		long sent = this.nanos;
		pass(there);
		long told = this.server;
		pass(back);
		this.clock.saw(told, sent);
	}

	private void pass(long millis) {
		this.nanos += millis * 1_000_000;
		this.server += millis;
	}

}
