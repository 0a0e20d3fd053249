package dev.ratelimit.test;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.ratelimit.StoreStateEvent;
import dev.ratelimit.algorithm.LimitCalculator;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.StoreNodes;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.guard.GuardSettings;
import dev.ratelimit.store.guard.GuardedLimitStore;
import dev.ratelimit.store.memory.MemoryLimitStore;

/**
 * Factory of guards for tests.
 */
public final class Guards {

	/** Runs the scheduled work of the guards that tests create. */
	public static final Upkeep UPKEEP = new Upkeep();

	/** Runs nothing, because tests call the rounds at the times that they set. */
	public static final Upkeep NO_UPKEEP = new Upkeep();

	static {
		NO_UPKEEP.close();
	}

	private Guards() {
	}

	/**
	 * Create a guard without a limit on concurrent calls, for one instance.
	 */
	public static GuardedLimitStore of(StoreStage store, StoreNodes nodes, Duration probeInterval,
			Consumer<StoreStateEvent> events) {
		return of(store, nodes, 1, new GuardSettings(probeInterval, Duration.ofMillis(50), Integer.MAX_VALUE), events);
	}

	public static GuardedLimitStore of(StoreStage store, StoreNodes nodes, int instances, GuardSettings settings,
			Consumer<StoreStateEvent> events) {
		MemoryLimitStore local = new MemoryLimitStore(1000,
				() -> System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(LimitCalculator.EPOCH_SECONDS));
		return new GuardedLimitStore(store, nodes, local, () -> instances, settings, events, Time.SYSTEM, UPKEEP);
	}

	/**
	 * Return a store of one node, which is available if a task does not throw.
	 */
	public static StoreNodes node(String name, Runnable check) {
		return new StoreNodes() {

			@Override
			public String nodeOf(Bucket bucket) {
				return name;
			}

			@Override
			public Set<String> nodes() {
				return Set.of(name);
			}

			@Override
			public void check(String node, Duration timeout) {
				check.run();
			}

		};
	}

}
