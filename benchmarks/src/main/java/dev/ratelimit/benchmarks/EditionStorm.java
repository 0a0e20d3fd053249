package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.Phase;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;

/**
 * Measures requests while all rules change again and again. Each path has two rules. At
 * each change, the two rules exchange their phases, and get the limits of the new
 * edition. If a request were evaluated by two editions, it would meet one of the rules
 * twice or not at all, or would meet two different limits.
 */
final class EditionStorm implements LiveTable.Part {

	private static final int PATHS = 500;

	private static final int THREADS = 2;

	private static final long SWAP_MILLIS = 200;

	/** The time before requests are timed, because a cold JVM is not measured. */
	private static final long WARMUP_MILLIS = 5_000;

	private static final int QUANTITY = 1_000_000_000;

	@Override
	public String name() {
		return "1,000 rules swapped each 200 ms, 2 threads:";
	}

	@Override
	public void measure(Session session, LiveTable.Report report) throws Exception {
		long millis = (session.settings().quick()) ? 1_000 : 60_000;
		List<List<Rule>> editions = List.of(rules(0), rules(1));
		RulesAtGate gate = new RulesAtGate();
		gate.editions().adopt(editions.get(0));
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			long timedNanos = System.nanoTime()
					+ TimeUnit.MILLISECONDS.toNanos((session.settings().quick()) ? 0 : WARMUP_MILLIS);
			long endNanos = timedNanos + TimeUnit.MILLISECONDS.toNanos(millis);
			List<Future<Seen>> callers = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int seed = i;
				callers.add(threads.submit((Callable<Seen>) () -> call(gate, timedNanos, endNanos, seed)));
			}
			int swaps = swap(gate.editions(), editions, endNanos);
			Seen all = new Seen(0, 0, 0, 0);
			for (Future<Seen> caller : callers) {
				all = all.and(caller.get());
			}
			System.err.printf("%,d requests, %d swaps%n", all.requests, swaps);
			report.add(name() + " requests of two editions; 0", all.mixed);
			report.add(name() + " unlimited requests; 0", all.unlimited);
			report.add(name() + " ms of the longest request; at most 50", all.longestNanos / 1e6);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static int swap(Editions editions, List<List<Rule>> rules, long endNanos) throws InterruptedException {
		int swaps = 0;
		while (System.nanoTime() - endNanos < 0) {
			swaps++;
			editions.adopt(rules.get(swaps % 2));
			Thread.sleep(SWAP_MILLIS);
		}
		return swaps;
	}

	private static Seen call(RulesAtGate gate, long timedNanos, long endNanos, int seed) {
		SplittableRandom random = new SplittableRandom(seed);
		Seen seen = new Seen(0, 0, 0, 0);
		long end = System.nanoTime();
		while (end - endNanos < 0) {
			SentRequest request = SentRequest.of("/api/r" + random.nextInt(PATHS) + "/items");
			long start = System.nanoTime();
			List<Verdict> verdicts = gate.send(request).decision().verdicts();
			end = System.nanoTime();
			seen.saw(verdicts, (start - timedNanos < 0) ? 0 : end - start);
		}
		return seen;
	}

	private static List<Rule> rules(int edition) {
		Phase[] phases = (edition == 0) ? new Phase[] { Phase.EARLY, Phase.LATE }
				: new Phase[] { Phase.LATE, Phase.EARLY };
		return Stream.iterate(0, (number) -> number + 1)
			.limit(PATHS)
			.flatMap((number) -> Stream.of(rule("first-" + number, number, phases[0], edition),
					rule("second-" + number, number, phases[1], edition)))
			.toList();
	}

	private static Rule rule(String id, int number, Phase phase, int edition) {
		return BenchmarkRules.rule(id, "/api/r" + number + "/**", (QUANTITY + edition) + "/d", phase);
	}

	/**
	 * The observations of one thread. Not thread-safe.
	 */
	private static final class Seen {

		private long requests;

		private long mixed;

		private long unlimited;

		private long longestNanos;

		private Seen(long requests, long mixed, long unlimited, long longestNanos) {
			this.requests = requests;
			this.mixed = mixed;
			this.unlimited = unlimited;
			this.longestNanos = longestNanos;
		}

		void saw(List<Verdict> verdicts, long nanos) {
			this.requests++;
			this.longestNanos = Math.max(this.longestNanos, nanos);
			if (verdicts.isEmpty()) {
				this.unlimited++;
			}
			else if (verdicts.size() != 2
					|| verdicts.get(0).policy().capacity() != verdicts.get(1).policy().capacity()) {
				this.mixed++;
			}
		}

		Seen and(Seen other) {
			return new Seen(this.requests + other.requests, this.mixed + other.mixed, this.unlimited + other.unlimited,
					Math.max(this.longestNanos, other.longestNanos));
		}

	}

}
