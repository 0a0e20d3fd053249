package dev.ratelimit.benchmarks;

import java.time.Duration;

/**
 * The times of a measurement, and its number of rounds.
 *
 * @param warmup the time of the warm-up, before the first round
 * @param ramp the time before the window in each round, after the previous row
 * @param measure the time of the window in each round
 * @param rounds the number of turns of each row
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
