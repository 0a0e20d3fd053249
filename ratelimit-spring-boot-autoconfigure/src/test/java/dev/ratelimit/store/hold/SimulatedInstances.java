package dev.ratelimit.store.hold;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.test.Guards;
import dev.ratelimit.test.Limits;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulates instances that hold slots of one bucket and renew them once a second, with a
 * manual clock. Requests begin and end at random times.
 */
final class SimulatedInstances {

	static final long LIMIT = 100;

	static final Duration LEASE = Duration.ofSeconds(6);

	private static final long LEASE_MILLIS = LEASE.toMillis();

	private static final int INSTANCES = 50;

	private static final long ROUND_MILLIS = 1000;

	private final BucketFamily slots = Demands.concurrent("slots", Limits.concurrent(LIMIT, LEASE));

	private final SlotServer server = new SlotServer(this.slots);

	private final List<Instance> instances = new ArrayList<>();

	private final SplittableRandom random;

	private final String seed;

	private long nowMillis = 60_000_000_000L;

	private long started;

	private long awayUntilMillis;

	private int lostPerMille;

	private long taken;

	private long rejected;

	SimulatedInstances(long seed) {
		this.random = new SplittableRandom(seed);
		this.seed = "seed " + seed;
		for (int i = 0; i < INSTANCES; i++) {
			this.instances.add(new Instance());
		}
	}

	/**
	 * Return the number of requests that the server allowed, and the number that it
	 * rejected.
	 */
	long[] decided() {
		return new long[] { this.taken, this.rejected };
	}

	void run(Duration time, Faults faults) {
		long endMillis = this.nowMillis + time.toMillis();
		while (this.nowMillis < endMillis) {
			this.nowMillis += 50 + this.random.nextInt(100);
			cause(faults);
			for (Instance instance : this.instances) {
				instance.step();
			}
		}
	}

	private void cause(Faults faults) {
		if (faults != Faults.NONE && chance(10)) {
			this.instances.set(this.random.nextInt(INSTANCES), new Instance());
		}
		if (faults == Faults.ALL) {
			if (chance(50)) {
				any().pausedUntilMillis = this.nowMillis + this.random.nextLong(2 * LEASE_MILLIS);
			}
			if (chance(5)) {
				this.awayUntilMillis = this.nowMillis + this.random.nextLong(2 * LEASE_MILLIS);
			}
			if (chance(5)) {
				this.server.loseAll();
			}
		}
		this.lostPerMille = (faults == Faults.ALL) ? 20 : 0;
	}

	/**
	 * End all faults and all requests that instances allowed without the server.
	 */
	void calm() {
		this.awayUntilMillis = 0;
		this.lostPerMille = 0;
		for (Instance instance : this.instances) {
			instance.pausedUntilMillis = 0;
			instance.held.stream()
				.filter((one) -> one.source() == Source.FALLBACK)
				.toList()
				.forEach((one) -> instance.end(one));
		}
	}

	void crash(int count) {
		for (int i = 0; i < count; i++) {
			this.instances.set(i, new Instance());
		}
	}

	long held() {
		return this.instances.stream().mapToLong((instance) -> instance.held.size()).sum();
	}

	// Return the number of held slots that the server may not know.
	private long unknown() {
		return this.instances.stream()
			.mapToLong((instance) -> Math.max(0, instance.held.size() - instance.link.known()))
			.sum();
	}

	void assertAllIsKnown() {
		assertThat(unknown()).as(this.seed).isZero();
	}

	void assertNothingIsAboveTheLimit() {
		assertThat(held()).as(this.seed).isLessThanOrEqualTo(LIMIT);
	}

	void assertCountIsTrue() {
		assertAllIsKnown();
		assertThat(this.server.used(this.nowMillis)).as(this.seed).isEqualTo(Math.min(LIMIT, held()));
	}

	private Instance any() {
		return this.instances.get(this.random.nextInt(INSTANCES));
	}

	private boolean chance(int perMille) {
		return this.random.nextInt(1000) < perMille;
	}

	private SlotLink.Fate fate() {
		if (this.nowMillis < this.awayUntilMillis) {
			return SlotLink.Fate.REQUEST_LOST;
		}
		if (chance(this.lostPerMille)) {
			return (this.random.nextBoolean()) ? SlotLink.Fate.REQUEST_LOST : SlotLink.Fate.REPLY_LOST;
		}
		return SlotLink.Fate.FINE;
	}

	/**
	 * The faults that may occur.
	 */
	enum Faults {

		/** No faults. */
		NONE,

		/** Instances are killed, and others start. */
		CRASHES,

		/**
		 * Instances are killed or paused, calls are lost, and the server is unavailable
		 * or loses all data.
		 */
		ALL

	}

	private final class Instance {

		private final SlotLink link = new SlotLink(SimulatedInstances.this.server, ++SimulatedInstances.this.started,
				() -> SimulatedInstances.this.nowMillis, LEASE_MILLIS, SimulatedInstances.this::fate);

		private final HeldLimitStore store = new HeldLimitStore(this.link, (rule) -> Long.MAX_VALUE / 2,
				() -> TimeUnit.MILLISECONDS.toNanos(SimulatedInstances.this.nowMillis), Guards.NO_UPKEEP);

		private final List<AcquireResult> held = new ArrayList<>();

		private final boolean failsClosed = SimulatedInstances.this.random.nextBoolean();

		private long pausedUntilMillis;

		private long roundMillis = SimulatedInstances.this.nowMillis
				+ SimulatedInstances.this.random.nextLong(ROUND_MILLIS);

		private void step() {
			long now = SimulatedInstances.this.nowMillis;
			if (now < this.pausedUntilMillis) {
				return;
			}
			if (chance(300)) {
				begin();
			}
			if (chance(100) && !this.held.isEmpty()) {
				end(this.held.get(SimulatedInstances.this.random.nextInt(this.held.size())));
			}
			if (now >= this.roundMillis) {
				this.store.renew();
				this.roundMillis = now + ROUND_MILLIS;
			}
		}

		private void begin() {
			AcquireResult result = this.store
				.acquire(Demands.of((this.failsClosed) ? Demands.closed(SimulatedInstances.this.slots, "global", 1)
						: Demands.charge(SimulatedInstances.this.slots, "global", 1)))
				.join();
			if (result.allowed()) {
				this.held.add(result);
			}
			if (result.source() == Source.REMOTE && result.allowed()) {
				SimulatedInstances.this.taken++;
				assertThat(held()).as(SimulatedInstances.this.seed).isLessThanOrEqualTo(LIMIT + unknown());
			}
			else if (result.source() == Source.REMOTE) {
				SimulatedInstances.this.rejected++;
			}
		}

		private void end(AcquireResult one) {
			this.held.remove(one);
			this.store.settle(one.refunds()).exceptionally((failure) -> null).join();
		}

	}

}
