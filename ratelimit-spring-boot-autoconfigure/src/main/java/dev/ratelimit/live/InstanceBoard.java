package dev.ratelimit.live;

import java.util.List;
import java.util.function.Supplier;

/**
 * Internal: where all instances say what they apply. Thread-safe.
 */
public interface InstanceBoard extends AutoCloseable {

	/**
	 * Report every few seconds from now on.
	 * @param state the state of this instance
	 */
	void start(Supplier<InstanceState> state);

	/** Report now, because the state has changed. Returns at once. */
	void report();

	/**
	 * All instances. Blocks for at most some seconds.
	 * @return the instances, those that stopped reporting excluded
	 * @throws RuleSourceException if the store cannot be read
	 */
	List<Seen> instances();

	@Override
	void close();

	/**
	 * An instance, and when it reported last.
	 *
	 * @param state its state
	 * @param millisAgo how long ago it reported, in milliseconds
	 */
	record Seen(InstanceState state, long millisAgo) {
	}

}
