package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * All contestants, by the names that tables use for them.
 */
final class Contestants {

	/** The limit for {@link #check}. */
	private static final Limit FEW = new Limit(5, Duration.ofDays(1));

	private static final Map<String, Function<Setup, Contestant>> ALL = all();

	private Contestants() {
	}

	private static Map<String, Function<Setup, Contestant>> all() {
		Map<String, Function<Setup, Contestant>> all = new LinkedHashMap<>();
		// The cost of the connection itself
		all.put("ping", PingContestant::new);
		all.put("noop", ScriptContestant::noop);
		// The minimum cost of a limiter
		all.put("floor", ScriptContestant::floor);
		all.put("floor-memory", CaffeineFloorContestant::new);
		// This library
		all.put("ours", LimiterContestant::new);
		all.put("ours-looking", LimiterContestant.Looking::new);
		all.put("ours-reactive", LimiterContestant.Reactive::new);
		// The peers
		all.put("bucket4j", Bucket4jContestant::new);
		all.put("gateway", GatewayContestant::new);
		all.put("redisson", RedissonContestant::new);
		all.put("bucket4j-memory", CaffeineBucket4jContestant::new);
		all.put("resilience4j", Resilience4jContestant::new);
		return all;
	}

	static Contestant open(String name, Setup setup) {
		return Optional.ofNullable(ALL.get(name))
			.orElseThrow(() -> new IllegalArgumentException("No contestant '" + name + "' in " + ALL.keySet()))
			.apply(setup);
	}

	/**
	 * Require that a contestant limits: with a limit of five, it must allow five requests
	 * and reject the sixth one.
	 * @throws IllegalStateException if it does not
	 */
	static void check(String name, Setup setup) {
		check(name, setup, FEW);
	}

	static void check(String name, Setup setup, Limit limit) {
		try (Contestant contestant = open(name, setup.with(limit))) {
			String key = "check-" + System.nanoTime();
			contestant.prepare(new String[] { "warm-" + key, key });
			// The first decision can be so slow that a unit is refilled in the meantime.
			expect(name, contestant.decideNow("warm-" + key), 1, true);
			for (int i = 1; i <= FEW.capacity(); i++) {
				expect(name, contestant.decideNow(key), i, true);
			}
			if (contestant.limits()) {
				expect(name, contestant.decideNow(key), FEW.capacity() + 1, false);
			}
		}
	}

	private static void expect(String name, boolean allowed, long number, boolean expected) {
		if (allowed != expected) {
			throw new IllegalStateException("'%s' %s decision %d at a limit of %d".formatted(name,
					(allowed) ? "allowed" : "rejected", number, FEW.capacity()));
		}
	}

}
