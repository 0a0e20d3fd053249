package dev.ratelimit.live;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.RuleMode;

/**
 * A store of switches without other instances. {@link Switches} keeps the switches.
 */
final class InstanceSwitches implements SwitchStore {

	private final InstantSource clock;

	/**
	 * Create a store for this instance.
	 * @param clock the clock that ends switches
	 */
	InstanceSwitches(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public void start(Consumer<List<RuleSwitch>> changes) {
		// No other instance changes switches.
	}

	@Override
	public long nowMillis() {
		return this.clock.millis();
	}

	@Override
	public RuleSwitch set(Optional<String> rule, RuleMode mode, Duration duration, String user, String note) {
		return new RuleSwitch(rule, mode, nowMillis() + duration.toMillis(), user, note);
	}

	@Override
	public boolean end(Optional<String> rule) {
		return false;
	}

	@Override
	public void close() {
		// There are no resources to close.
	}

}
