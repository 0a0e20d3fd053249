package dev.ratelimit.live;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.RuleMode;

/**
 * Internal: the store of the switches of all instances. {@link #set} and {@link #end} may
 * block for a few seconds. Thread-safe.
 */
public interface SwitchStore extends AutoCloseable {

	/**
	 * Start to read. Does not block.
	 * @param changes receives all switches that have not ended, whenever they change
	 */
	void start(Consumer<List<RuleSwitch>> changes);

	/**
	 * Start to read, for a receiver that already has switches. These switches stay active
	 * until the store has responded.
	 * @param present the switches of the receiver
	 * @param changes receives all switches that have not ended, whenever they change
	 */
	default void start(List<RuleSwitch> present, Consumer<List<RuleSwitch>> changes) {
		start(changes);
	}

	/**
	 * Return the currently known switches. Does not block.
	 * @return all switches that have not ended; empty if the store has not responded yet,
	 * or if it only reports changes
	 */
	default Optional<List<RuleSwitch>> current() {
		return Optional.empty();
	}

	/**
	 * Return the time, by the clock that ends switches.
	 * @return milliseconds since the epoch
	 */
	long nowMillis();

	/**
	 * Set a switch for all instances. It replaces the switch for the same rule.
	 * @param rule the rule; empty for all rules
	 * @param mode the mode
	 * @param duration the duration
	 * @param user the user that sets it
	 * @param note the reason; may be empty
	 * @return the switch
	 * @throws RuleSourceException if the other instances cannot be notified
	 */
	RuleSwitch set(Optional<String> rule, RuleMode mode, Duration duration, String user, String note);

	/**
	 * End a switch for all instances.
	 * @param rule the rule; empty for the switch of all rules
	 * @return whether there was a switch
	 * @throws RuleSourceException if the other instances cannot be notified
	 */
	boolean end(Optional<String> rule);

	@Override
	void close();

}
