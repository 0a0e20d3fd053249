package dev.ratelimit.benchmarks;

import java.time.Duration;

/**
 * How long rows are measured.
 *
 * @param warmup before the first round
 * @param ramp before each round's window, after the row before it
 * @param measure each round's window
 * @param rounds how often each row has its turn
 */
record Pace(Duration warmup, Duration ramp, Duration measure, int rounds) {

	@Override
	public String toString() {
		return "%d rounds of %s after a warm-up of %s".formatted(this.rounds, text(this.measure), text(this.warmup));
	}

	static String text(Duration time) {
		return (time.toMillis() % 1000 == 0) ? time.toSeconds() + " s" : time.toMillis() + " ms";
	}

}
