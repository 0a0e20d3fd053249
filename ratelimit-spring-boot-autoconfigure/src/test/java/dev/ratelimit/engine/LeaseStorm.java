package dev.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Decision;
import dev.ratelimit.Reservation;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.test.Engines;
import dev.ratelimit.test.Parallel;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends many requests that end in all possible ways, or never.
 */
public final class LeaseStorm {

	private static final int LIMIT = 20;

	private static final int THREADS = 8;

	private static final int ROUNDS = 10;

	private static final long LEASE_MILLIS = 60_000;

	private final AtomicLong clock;

	private final RateLimitEngine engine;

	/** A lower bound of the number of slots that are held. */
	private final AtomicInteger held = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	private final AtomicInteger allowed = new AtomicInteger();

	private final Queue<Reservation> leaked = new ConcurrentLinkedQueue<>();

	public LeaseStorm(LimitStore store, AtomicLong clock) {
		this.clock = clock;
		this.engine = Engines.of(store, Duration.ofSeconds(30), List.of());
		this.engine.editions()
			.adopt(List.of(RuleBuilder.rule("jobs").limits(Integer.toString(LIMIT)).algorithm("concurrency").build(),
					RuleBuilder.rule("total").limits("1000000000/d").build()));
	}

	/**
	 * Send requests, and verify that slots are counted exactly.
	 * @param requests the total number of requests
	 */
	public void blow(int requests) {
		for (int round = 0; round < ROUNDS; round++) {
			int seed = round * THREADS;
			Parallel.run(THREADS, (thread) -> requests(new Random(seed + thread), requests / THREADS / ROUNDS));
			assertThat(left()).isEqualTo(LIMIT - this.leaked.size());
			this.clock.addAndGet(LEASE_MILLIS);
			assertThat(left()).isEqualTo(LIMIT);
			// The release has no effect, because the lease has expired.
			this.leaked.forEach((lease) -> lease.release().toCompletableFuture().join());
			this.held.addAndGet(-this.leaked.size());
			this.leaked.clear();
			assertThat(this.held).hasValue(0);
			assertThat(left()).isEqualTo(LIMIT);
		}
		assertThat(this.most.get()).isLessThanOrEqualTo(LIMIT).isGreaterThan(LIMIT / 2);
		assertThat(this.allowed.get()).isGreaterThan(requests / 2);
	}

	private int requests(Random random, int count) {
		Deque<Reservation> mine = new ArrayDeque<>();
		for (int i = 0; i < count; i++) {
			this.clock.addAndGet((random.nextInt(4) == 0) ? 1 : 0);
			Decision decision = decide("jobs", "total");
			if (decision.allowed()) {
				this.allowed.incrementAndGet();
				this.most.accumulateAndGet(this.held.incrementAndGet(), Math::max);
				mine.add(decision.reservation());
			}
			while (mine.size() > random.nextInt(5)) {
				end(mine.remove(), random);
			}
		}
		mine.forEach((lease) -> end(lease, random));
		return count;
	}

	private void end(Reservation lease, Random random) {
		int how = random.nextInt(2000);
		if (how == 0 && this.leaked.size() < LIMIT / 2) {
			this.leaked.add(lease);
			return;
		}
		this.held.decrementAndGet();
		if (how % 3 == 0) {
			lease.settle("total", random.nextInt(3));
			lease.settle("jobs", 0);
		}
		((how % 2 == 0) ? lease.release() : lease.cancel()).toCompletableFuture().join();
		if (how % 5 == 0) {
			lease.release().toCompletableFuture().join();
			lease.cancel().toCompletableFuture().join();
		}
	}

	private Decision decide(String... rules) {
		List<AppliedRule> uses = List.of(rules).stream().map((rule) -> use(rule, 1)).toList();
		return this.engine.decide(uses, Optional.empty(), this.engine.deadline().toNanos()).join();
	}

	private AppliedRule use(String rule, long cost) {
		return AppliedRule.of(this.engine.rule(rule).orElseThrow(), "user:a", cost);
	}

	private long left() {
		return this.engine.decide(List.of(use("jobs", 0)), Optional.empty(), this.engine.deadline().toNanos())
			.join()
			.verdicts()
			.get(0)
			.remaining();
	}

}
