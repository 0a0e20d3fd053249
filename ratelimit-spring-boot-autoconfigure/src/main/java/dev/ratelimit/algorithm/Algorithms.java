package dev.ratelimit.algorithm;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.Limit;

/**
 * Internal: all algorithms by id.
 */
public final class Algorithms {

	/** The id of the algorithm of a limit that does not name one. */
	public static final String DEFAULT = TokenBucket.ID;

	/** The id of the algorithm that remembers each unit, and is exact at any time. */
	public static final String EXACT = SlidingLog.ID;

	/** The id of the algorithm that counts concurrent requests. */
	public static final String CONCURRENT = Concurrency.ID;

	/**
	 * The id of the algorithm with periods that can follow the calendar of a time zone.
	 */
	public static final String CALENDAR = FixedWindow.ID;

	private static final Map<String, Algorithm> ALL = Stream
		.<Algorithm>of(new TokenBucket(), new FixedWindow(), new Gcra(), new SlidingWindow(), new LeakyBucket(),
				new SlidingLog(), new Concurrency())
		.collect(Collectors.toMap(Algorithm::id, Function.identity(), (first, second) -> first, TreeMap::new));

	private Algorithms() {
	}

	/**
	 * The algorithm of an id.
	 * @param id the id
	 * @return the algorithm, if there is one
	 */
	public static Optional<Algorithm> find(String id) {
		return Optional.ofNullable(ALL.get(id));
	}

	/**
	 * The algorithm of a limit.
	 * @param limit the limit
	 * @return its algorithm
	 * @throws IllegalArgumentException if there is no such algorithm
	 */
	public static Algorithm of(Limit limit) {
		return find(limit.algorithm()).orElseThrow(() -> new IllegalArgumentException(
				"there is no algorithm '" + limit.algorithm() + "'; the algorithms are " + String.join(", ", ids())));
	}

	/**
	 * The ids of all algorithms.
	 * @return the ids in alphabetical order
	 */
	public static Set<String> ids() {
		return ALL.keySet();
	}

	/**
	 * Return the ids of the algorithms with a capability, for messages.
	 * @param capability the capability, as a method of an algorithm
	 * @return their ids in alphabetical order, joined
	 */
	public static String named(Predicate<Algorithm> capability) {
		return ALL.values().stream().filter(capability).map(Algorithm::id).collect(Collectors.joining(", "));
	}

	/**
	 * Check that a limit has no properties that its algorithm does not support.
	 * @param limit the limit
	 * @throws IllegalArgumentException if it has such a property; the message contains it
	 */
	public static void check(Limit limit) {
		Algorithm algorithm = of(limit);
		requireOnly(limit.credit() == 0 || algorithm.givesCredit(), Algorithm::givesCredit, "supports 'credit'");
		requireOnly(limit.calendar().isEmpty() || algorithm.followsCalendar(), Algorithm::followsCalendar,
				"supports 'zone'");
		requireOnly(limit.concurrent() == algorithm.countsConcurrentRequests(), Algorithm::countsConcurrentRequests,
				"counts concurrent requests");
	}

	private static void requireOnly(boolean condition, Predicate<Algorithm> capability, String does) {
		if (!condition) {
			throw new IllegalArgumentException("only " + named(capability) + " " + does);
		}
	}

}
