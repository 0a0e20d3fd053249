package dev.ratelimit.live;

import java.util.List;
import java.util.function.Supplier;

/**
 * Internal: the board on which all instances report the rules that they apply.
 * Thread-safe.
 */
public interface InstanceBoard extends AutoCloseable {

	/**
	 * Start to report every few seconds.
	 * @param state the state of this instance
	 */
	void start(Supplier<InstanceState> state);

	/** Report now, because the state has changed. Does not block. */
	void report();

	/**
	 * Return all instances. May block for a few seconds.
	 * @return the instances, except those that have stopped reporting
	 * @throws RuleSourceException if the store cannot be read
	 */
	List<Seen> instances();

	@Override
	void close();

	/**
	 * An instance, and the time of its last report.
	 *
	 * @param state its state
	 * @param millisAgo the time since the report, in milliseconds
	 */
	record Seen(InstanceState state, long millisAgo) {
	}

}
