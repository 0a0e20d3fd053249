package dev.ratelimit.live;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.RuleMode;

/**
 * Switches where there is no store for all instances: this one has its own.
 * {@link Switches} keeps what was set.
 */
final class InstanceSwitches implements SwitchStore {

	private final InstantSource clock;

	/**
	 * Switches of this instance.
	 * @param clock ends them
	 */
	InstanceSwitches(InstantSource clock) {
		this.clock = clock;
	}

	@Override
	public void start(Consumer<List<RuleSwitch>> changes) {
		// No other instance changes them.
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
		// Nothing was opened.
	}

}
