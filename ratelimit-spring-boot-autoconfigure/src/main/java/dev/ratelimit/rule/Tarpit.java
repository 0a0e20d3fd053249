package dev.ratelimit.rule;

import java.time.Duration;

/**
 * Internal: the delay of a rule's rejections, and the maximum number of delayed ones.
 * Immutable.
 *
 * @param delay the delay, which varies by up to 20 percent
 * @param max the maximum number of delayed rejections of one instance at a time; further
 * rejections are not delayed
 */
public record Tarpit(Duration delay, int max) {

	/** The default delay and maximum. */
	public static final Tarpit DEFAULT = new Tarpit(Duration.ofSeconds(5), 100);

	private static final Duration MIN_DELAY = Duration.ofMillis(1);

	/** The maximum delay; clients and proxies time out after longer delays. */
	public static final Duration MAX_DELAY = Duration.ofSeconds(30);

	void check() {
		Checks.UNPLACED.require(this.delay.compareTo(MIN_DELAY) >= 0 && this.delay.compareTo(MAX_DELAY) <= 0,
				".tarpit.delay", this.delay.toString(), "it must be between 1 ms and 30 s", "Set a delay such as 5s.");
		Checks.UNPLACED.require(this.max >= 1, ".tarpit.max", Integer.toString(this.max), "it must be positive",
				"Set the maximum number of rejections that are delayed at a time, such as 100.");
	}

	@Override
	public String toString() {
		return this.delay.toMillis() + "ms, max " + this.max;
	}

}
