package dev.ratelimit.store;

import java.util.List;

import dev.ratelimit.test.Parallel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The counts of a store under concurrent calls. The clock stands still.
 */
interface ContentionContract extends StoreUnderTest {

	/** The number of threads that call concurrently. */
	int THREADS = 16;

	/** The number of requests of each thread. */
	int EACH = 100;

	@Test
	default void oneBucketAllowsExactlyItsCapacity() {
		BucketFamily family = Demands.perDay("one", 1000);
		assertThat(sum(Parallel.run(THREADS, (thread) -> allowed(Demands.of(Demands.charge(family, "ann", 1))))))
			.isEqualTo(1000);
		assertThat(remaining(family, "ann")).isZero();
	}

	@Test
	default void costsAreTakenExactly() {
		BucketFamily family = Demands.perDay("costs", 10_000);
		List<Integer> allowed = Parallel.run(THREADS,
				(thread) -> (thread + 1) * allowed(Demands.of(Demands.charge(family, "ann", thread + 1))));
		assertThat(remaining(family, "ann")).isEqualTo(10_000 - sum(allowed)).isLessThan(THREADS);
	}

	@Test
	default void demandsInOppositeOrdersNeitherBlockNorMiscount() {
		BucketFamily narrow = Demands.perDay("narrow", 500);
		BucketFamily wide = Demands.perDay("wide", 700);
		AcquireRequest forth = Demands.of(Demands.charge(narrow, "ann", 1), Demands.charge(wide, "ann", 1));
		AcquireRequest back = Demands.of(Demands.charge(wide, "ann", 1), Demands.charge(narrow, "ann", 1));
		assertThat(sum(Parallel.run(THREADS, (thread) -> allowed((thread % 2 == 0) ? forth : back)))).isEqualTo(500);
		assertThat(remaining(narrow, "ann")).isZero();
		assertThat(remaining(wide, "ann")).isEqualTo(200);
	}

	@Test
	default void demandsThatOverlapTakeAllOrNothing() {
		List<BucketFamily> ring = List.of(Demands.perDay("a", 300), Demands.perDay("b", 400), Demands.perDay("c", 500));
		List<Integer> allowed = Parallel.run(THREADS, (thread) -> allowed(Demands
			.of(Demands.charge(ring.get(thread % 3), "ann", 1), Demands.charge(ring.get((thread + 1) % 3), "ann", 1))));
		long left = ring.stream().mapToLong((family) -> remaining(family, "ann")).sum();
		assertThat(left).isEqualTo(1200 - 2L * sum(allowed));
	}

	private int allowed(AcquireRequest demand) {
		int allowed = 0;
		for (int i = 0; i < EACH; i++) {
			allowed += (tryAcquire(demand).allowed()) ? 1 : 0;
		}
		return allowed;
	}

	private static int sum(List<Integer> counts) {
		return counts.stream().mapToInt(Integer::intValue).sum();
	}

}
