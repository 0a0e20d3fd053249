package dev.ratelimit.store.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToIntFunction;

import dev.ratelimit.Consistency;
import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LeaseRequest;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;
import dev.ratelimit.store.redis.ClockedRedis;

/**
 * Simulates instances with leases that share one bucket in a real Redis, in virtual time.
 * Also evaluates the same requests against one exact bucket.
 */
final class SimulatedInstances {

	/** A whole number of minutes after the epoch. */
	private static final long TODAY = 60_000_000_000L;

	private static final long START_NANOS = TimeUnit.HOURS.toNanos(1);

	private static final long SWEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/** The number of local rejections of which one is checked. */
	private static final int SAMPLE = 20;

	private final StoreStage redis;

	private final SimulatedNetwork network;

	private final StoreStage exact = new MemoryLimitStore(1000, this::millis);

	private final List<LeasedLimitStore> instances = new ArrayList<>();

	private final List<LeasedLimitStore> gone = new ArrayList<>();

	private final Charge charge;

	private final Random random = new Random(4711);

	final List<Tick> ticks = new ArrayList<>();

	private long local;

	long decisions;

	long exactlyAllowed;

	long sampled;

	long stale;

	SimulatedInstances(ClockedRedis redis, int count, BucketFamily family, Consistency consistency) {
		this.redis = redis.store(this::millis);
		this.network = new SimulatedNetwork(this.redis);
		this.charge = Demands.charge(family, "caller", 1).with(consistency);
		for (int i = 0; i < count; i++) {
			this.instances.add(instance());
			int place = i;
			this.network.in(this.random.nextInt((int) SWEEP_NANOS), () -> sweep(place));
		}
		tick();
	}

	private LeasedLimitStore instance() {
		return SimulatedLeases.stage(this.network, this.network::nowNanos);
	}

	private long millis() {
		return TODAY + TimeUnit.NANOSECONDS
			.toMillis(((this.network != null) ? this.network.nowNanos() : START_NANOS) - START_NANOS);
	}

	private void sweep(int place) {
		this.instances.get(place).sweep();
		this.network.in(SWEEP_NANOS, () -> sweep(place));
	}

	private void tick() {
		this.ticks.add(new Tick(millis(), allowed(), held()));
		this.network.in(TICK_NANOS, this::tick);
	}

	long allowed() {
		return this.network.charged + this.local;
	}

	long calls() {
		return this.network.calls;
	}

	// Return the number of leased units that are not spent.
	private long held() {
		long held = this.network.underWay;
		for (LeasedLimitStore one : this.instances) {
			held += one.status().held();
		}
		for (LeasedLimitStore one : this.gone) {
			held += one.status().held();
		}
		return held;
	}

	/**
	 * Send requests at random times with the given average rate.
	 * @param perSecond the number of requests per second
	 * @param seconds the duration in seconds
	 * @param where returns the instance for a time in milliseconds since the start
	 */
	void offer(double perSecond, double seconds, LongToIntFunction where) {
		long end = this.network.nowNanos() + (long) (seconds * 1e9);
		next(perSecond, end, where);
		this.network.runUntil(end);
	}

	private void next(double perSecond, long end, LongToIntFunction where) {
		long wait = (long) (-Math.log(1 - this.random.nextDouble()) / perSecond * 1e9);
		if (this.network.nowNanos() + wait < end) {
			this.network.in(wait, () -> {
				tryAcquire(where.applyAsInt(millis() - TODAY));
				next(perSecond, end, where);
			});
		}
	}

	void tryAcquire(int place) {
		this.decisions++;
		AcquireRequest demand = Demands.of(this.charge);
		this.exactlyAllowed += (this.exact.acquire(demand).join().allowed()) ? 1 : 0;
		this.instances.get(place).acquire(demand).thenAccept(this::answered);
	}

	private void answered(AcquireResult answer) {
		if (answer.source() == Source.LOCAL && answer.allowed()) {
			this.local++;
		}
		else if (answer.source() == Source.LOCAL && this.random.nextInt(SAMPLE) == 0) {
			this.sampled++;
			AcquireRequest peek = new AcquireRequest(List.of(this.charge.leasing(0, LeaseRequest.NONE)),
					Optional.empty(), Long.MAX_VALUE);
			this.stale += (this.redis.acquire(peek).join().verdicts().get(0).remaining() > 0) ? 1 : 0;
		}
	}

	void passMillis(long millis) {
		this.network.runUntil(this.network.nowNanos() + TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/** Replace an instance, which stops and returns its leased units. */
	void restart(int place) {
		LeasedLimitStore one = this.instances.set(place, instance());
		one.units().closeAll();
		this.gone.add(one);
	}

	/** Replace an instance, which crashes without returning its leased units. */
	void crash(int place) {
		this.instances.set(place, instance());
	}

	/**
	 * The counts at a time.
	 */
	record Tick(long millis, long allowed, long held) {
	}

}
