package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The contestant that a worker runs, with its limit and its options.
 *
 * @param contestant the name of the contestant
 * @param limit the limit that the contestant enforces
 * @param options the further settings of the table
 */
record Assignment(String contestant, Limit limit, Map<String, String> options) {

	/** A limit that is never exhausted, for few keys and as many requests as possible. */
	private static final Limit HOT = new Limit(4_000_000_000L, Duration.ofSeconds(400));

	/**
	 * A limit like that of a user: 100 per minute on average, so that buckets are
	 * refilled and expire.
	 */
	private static final Limit MANY = new Limit(6_000, Duration.ofHours(1));

	/** A limit that refills slowly, so that no bucket expires during the measurement. */
	private static final Limit LASTING = new Limit(6_000, Duration.ofDays(30));

	/** A limit that rejects all requests of a key except the first one. */
	private static final Limit SPENT = new Limit(1, Duration.ofDays(30));

	Assignment {
		options = Map.copyOf(options);
	}

	static Assignment hot(String contestant) {
		return new Assignment(contestant, HOT, Map.of());
	}

	static Assignment many(String contestant) {
		return new Assignment(contestant, MANY, Map.of());
	}

	static Assignment lasting(String contestant) {
		return new Assignment(contestant, LASTING, Map.of());
	}

	static Assignment spent(String contestant) {
		return new Assignment(contestant, SPENT, Map.of());
	}

	Assignment with(String option, String value) {
		Map<String, String> more = new LinkedHashMap<>(this.options);
		more.put(option, value);
		return new Assignment(this.contestant, this.limit, more);
	}

	Setup setup(RedisAddress redis) {
		return new Setup(redis, this.limit, this.options);
	}

	/**
	 * Return the assignment as one word, which {@link #parse} reads.
	 */
	String toText() {
		return this.contestant + ";" + this.limit.toText() + ";"
				+ new TreeMap<>(this.options).entrySet()
					.stream()
					.map((option) -> option.getKey() + "=" + option.getValue())
					.collect(Collectors.joining(","));
	}

	static Assignment parse(String text) {
		String[] parts = text.split(";", -1);
		Map<String, String> options = Stream.of(parts[2].split(","))
			.filter((option) -> !option.isEmpty())
			.map((option) -> option.split("=", 2))
			.collect(Collectors.toMap((sides) -> sides[0], (sides) -> sides[1]));
		return new Assignment(parts[0], Limit.parse(parts[1]), options);
	}

}
