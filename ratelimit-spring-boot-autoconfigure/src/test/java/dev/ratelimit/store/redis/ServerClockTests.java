package dev.ratelimit.store.redis;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerClockTests {

	private static final long SERVER = 50_000_000_000L;

	private final AtomicLong nanos = new AtomicLong(7_000_000_000L);

	private final ServerClock clock = new ServerClock(InstantSource.fixed(Instant.parse("2026-03-01T12:00:00Z")),
			this.nanos::get);

	private final long startNanos = this.nanos.get();

	@Test
	void isTheSystemsUntilAReplyCame() {
		assertThat(this.clock.nowMillis()).isEqualTo(this.clock.systemMillis());
		assertThat(this.clock.latestMillisAt(this.startNanos)).isEqualTo(ServerClock.NEVER);
	}

	@Test
	void aReplyShowsTheServersTime() {
		this.clock.saw(SERVER, this.startNanos);
		assertThat(this.clock.nowMillis()).isEqualTo(SERVER);
		this.nanos.set(at(20));
		assertThat(this.clock.nowMillis()).isEqualTo(SERVER + 20);
		assertThat(this.clock.latestMillisAt(at(50))).isBetween(SERVER + 50, SERVER + 53);
	}

	@Test
	void theReplyThatTookLeastIsNextToTheTruth() {
		this.clock.saw(SERVER + 30, this.startNanos);
		this.clock.saw(SERVER + 100, at(99));
		this.clock.saw(SERVER + 240, at(200));
		assertThat(this.clock.latestMillisAt(at(300))).isBetween(SERVER + 301, SERVER + 304);
	}

	@Test
	void learnsAgainAfterASecondSinceClocksDrift() {
		this.clock.saw(SERVER, this.startNanos);
		this.clock.saw(SERVER + 905, at(900));
		assertThat(this.clock.latestMillisAt(at(0))).isLessThan(SERVER + 4);
		this.clock.saw(SERVER + 1105, at(1100));
		assertThat(this.clock.latestMillisAt(at(0))).isBetween(SERVER + 5, SERVER + 8);
	}

	@Test
	void followsAServerWhoseClockWasSet() {
		this.clock.saw(SERVER, this.startNanos);
		this.clock.reset(SERVER + 3_600_000, at(0));
		assertThat(this.clock.latestMillisAt(at(50))).isBetween(SERVER + 3_600_050, SERVER + 3_600_053);
		this.clock.saw(SERVER, at(0));
		assertThat(this.clock.latestMillisAt(at(50))).isBetween(SERVER + 50, SERVER + 53);
	}

	@Test
	void aMomentIsNotTakenForALaterOne() {
		this.nanos.set(at(40));
		this.clock.saw(SERVER + 30, this.startNanos);
		assertThat(this.clock.earliestMillisAt(at(0))).isBetween(SERVER - 13, SERVER - 10);
		assertThat(this.clock.latestMillisAt(at(0))).isBetween(SERVER + 30, SERVER + 33);
		this.nanos.set(at(51));
		this.clock.saw(SERVER + 50, at(50));
		assertThat(this.clock.earliestMillisAt(at(0))).isBetween(SERVER - 4, SERVER - 1);
	}

	private long at(long millis) {
		return this.startNanos + TimeUnit.MILLISECONDS.toNanos(millis);
	}

}
