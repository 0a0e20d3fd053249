package dev.ratelimit.store.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.Consistency;
import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no leased unit is lost or spent twice, for any behavior of the store.
 */
class LeaseAccountsTests {

	private static final int INSTANCES = 3;

	private static final int THREADS = 4;

	private final AtomicLong nanos = new AtomicLong(TimeUnit.HOURS.toNanos(1));

	private final LeasingMemory store = new LeasingMemory(
			() -> 60_000_000_000L + TimeUnit.NANOSECONDS.toMillis(this.nanos.get()) - 3_600_000);

	private final ExecutorService network = Executors.newFixedThreadPool(2);

	private static BucketFamily family(String algorithm, long quantity) {
		return Demands.family("rule", new Limit(algorithm, quantity, Duration.ofMinutes(1), quantity));
	}

	private List<LeasedLimitStore> instances() {
		List<LeasedLimitStore> instances = new ArrayList<>();
		for (int i = 0; i < INSTANCES; i++) {
			instances.add(SimulatedLeases.stage(this.store, this.nanos::get));
		}
		return instances;
	}

	private static void balanced(LeaseStatus status) {
		assertThat(status.spent() - status.refunded() + status.returned() + status.expired() + status.held())
			.isEqualTo(status.granted());
	}

	// The reply is immediate, delayed, or lost.
	private CompletableFuture<AcquireResult> way(AcquireResult answer) {
		int chance = ThreadLocalRandom.current().nextInt(20);
		if (chance == 0) {
			return CompletableFuture.failedFuture(new StoreException(Kind.TIMEOUT, "lost", null));
		}
		return (chance < 10) ? CompletableFuture.completedFuture(answer)
				: CompletableFuture.supplyAsync(() -> answer, this.network);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void theBooksBalanceWhateverHappens(long seed) {
		Random random = new Random(seed);
		BucketFamily[] families = { family("token-bucket", 2000), family("fixed-window", 2000),
				family("sliding-window", 2000) };
		LeasedLimitStore stage = instances().get(0);
		long spent = 0;
		this.store.way((answer) -> (random.nextInt(10) > 0) ? CompletableFuture.completedFuture(answer)
				: CompletableFuture.failedFuture(new StoreException(Kind.TIMEOUT, "lost", null)));
		List<AcquireResult> taken = new ArrayList<>();
		for (int step = 0; step < 5000; step++) {
			this.nanos.addAndGet(TimeUnit.MICROSECONDS.toNanos(random.nextInt(4000)));
			Charge one = Demands.charge(families[random.nextInt(3)], "s" + random.nextInt(2), 1 + random.nextInt(3))
				.with(Consistency.LEASED);
			switch (random.nextInt(60)) {
				case 0 -> stage.sweep();
				case 1 -> stage.reset(List.of(one.bucket())).join();
				case 2 -> this.nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(random.nextInt(3000)));
				case 3, 4 -> taken.forEach((answer) -> stage
					.settle(List.of(new Settlement(answer.charge(0).bucket(), answer.charge(0).takenAtMillis(), -1))));
				default -> spent += spend(stage, one, taken);
			}
			taken.removeIf((answer) -> random.nextInt(10) == 0);
			balanced(stage.status());
		}
		assertThat(stage.status().spent()).isEqualTo(spent).isPositive();
		stage.close();
		assertThat(stage.status().held()).isZero();
		balanced(stage.status());
	}

	private static long spend(LeasedLimitStore stage, Charge charge, List<AcquireResult> taken) {
		try {
			AcquireResult answer = stage.acquire(Demands.of(charge)).join();
			if (answer.allowed() && answer.source() == Source.LOCAL) {
				taken.clear();
				taken.add(answer);
				return charge.cost();
			}
			return 0;
		}
		catch (CompletionException ex) {
			assertThat(ex).hasCauseInstanceOf(StoreException.class);
			return 0;
		}
	}

	@Test
	void noThreadSpendsWhatAnotherHasSpent() throws Exception {
		BucketFamily family = family("fixed-window", 200_000);
		List<LeasedLimitStore> instances = instances();
		this.store.way(this::way);
		AtomicLong allowed = new AtomicLong();
		AtomicLong local = new AtomicLong();
		ExecutorService callers = Executors.newFixedThreadPool(THREADS);
		List<Future<?>> done = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			LeasedLimitStore mine = instances.get(i % INSTANCES);
			done.add(callers.submit(() -> callALot(mine, family, allowed, local)));
		}
		await(done);
		callers.shutdown();
		this.network.shutdown();
		assertThat(this.network.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
		assertThat(allowed).hasValueLessThanOrEqualTo(200_000).hasValueGreaterThan(150_000);
		assertThat(local).hasValueGreaterThan(100_000);
		long held = 0;
		for (LeasedLimitStore instance : instances) {
			balanced(instance.status());
			held += instance.status().held();
			instance.close();
			assertThat(instance.status().held()).isZero();
			balanced(instance.status());
		}
		assertThat(held).isGreaterThanOrEqualTo(0);
		assertThat(instances.stream().mapToLong((instance) -> instance.status().spent()).sum()).isEqualTo(local.get());
	}

	private static void await(List<Future<?>> done) throws InterruptedException, ExecutionException {
		for (Future<?> one : done) {
			one.get();
		}
	}

	private void callALot(LeasedLimitStore stage, BucketFamily family, AtomicLong allowed, AtomicLong local) {
		Charge charge = Demands.charge(family, "ann", 1).with(Consistency.LEASED);
		for (int i = 0; i < 100_000; i++) {
			if (i % 10 == 0) {
				this.nanos.addAndGet(20_000);
			}
			if (i % 500 == 0) {
				stage.units().closeAll();
			}
			AcquireRequest demand = Demands.of(charge);
			stage.acquire(demand)
				.exceptionally((failure) -> AcquireResult.of(demand, false, Source.FALLBACK, 0, List.of()))
				.thenAccept((answer) -> {
					allowed.addAndGet((answer.allowed()) ? 1 : 0);
					local.addAndGet((answer.allowed() && answer.source() == Source.LOCAL) ? 1 : 0);
				})
				.join();
		}
	}

}
