package dev.ratelimit.algorithm;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The algorithms there are, by id.
 *
 * @since 0.1.0
 */
public final class Algorithms {

	/** The id of the algorithm of a limit that names none. */
	public static final String DEFAULT = TokenBucket.ID;

	private static final Map<String, Algorithm> ALL = Stream
		.<Algorithm>of(new TokenBucket(), new FixedWindow(), new Gcra(), new SlidingWindow(), new LeakyBucket())
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
	 * The ids of all algorithms.
	 * @return the ids in alphabetical order
	 */
	public static Set<String> ids() {
		return ALL.keySet();
	}

}
