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

	/** Report now, because the state has changed. Returns at once. */
	void report();

	/**
	 * Return all instances. Blocks for a few seconds at most.
	 * @return the instances, those that stopped reporting excluded
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
