package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Stance;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.hold.HoldingStatus;
import dev.ratelimit.store.memory.MemoryStores;

/**
 * Internal: a custom store of the application with the stages before it. The store is one
 * node. Its probe reads a bucket that no rule uses.
 */
public final class CustomStore implements StoreNodes, AutoCloseable {

	/** Sufficient for a first response, without a noticeable delay of the start. */
	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	private static final BucketFamily PROBED = new BucketFamily(new Policy("self-test", "self-test",
			new Limit(Algorithms.DEFAULT, 1000, Duration.ofSeconds(1), 1000), Policy.Unit.REQUESTS, true),
			Algorithms.find(Algorithms.DEFAULT).orElseThrow());

	private final LimitStore custom;

	private final Time time;

	private final StoreStages.Chain stages;

	CustomStore(LimitStore custom, StoreStages stages, Time time, ToLongFunction<String> maxHoldMillis) {
		this.custom = custom;
		this.time = time;
		this.stages = stages.custom(StoreStage.of(custom), this, maxHoldMillis);
	}

	void start() {
		this.stages.guard().start(TIMEOUT);
	}

	public LimitStore store() {
		return this.stages.first();
	}

	HoldingStatus holdings() {
		return this.stages.slots().status();
	}

	MemoryStores memory() {
		return this.stages.memory();
	}

	StoreStatus status() {
		return this.stages.guard().status();
	}

	@Override
	public String nodeOf(Bucket bucket) {
		return this.custom.name();
	}

	@Override
	public Set<String> nodes() {
		return Set.of(this.custom.name());
	}

	@Override
	public void check(String node, Duration timeout) {
		Charge peek = new Charge(new Bucket(PROBED, "self-test"), 0, FailurePolicy.OPEN, Stance.ENFORCED, false);
		AcquireRequest request = new AcquireRequest(List.of(peek), Optional.empty(),
				this.time.nanos() + timeout.toNanos());
		try {
			this.custom.acquire(request).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new StoreException(Kind.OTHER, "interrupted", ex);
		}
		catch (TimeoutException ex) {
			throw new StoreException(Kind.TIMEOUT, "no response within " + timeout.toMillis() + " ms", ex);
		}
		catch (ExecutionException ex) {
			throw StoreException.of(ex.getCause());
		}
	}

	@Override
	public void close() {
		this.stages.close();
	}

}
