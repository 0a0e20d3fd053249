package dev.ratelimit.engine;

import dev.ratelimit.BanKind;

/**
 * Internal: what a rule does with all requests of a subject until a time. Immutable.
 *
 * @param kind whether it rejects them, and how
 * @param untilNanos the end, in the time of the instance
 */
public record Sanction(BanKind kind, long untilNanos) {

	boolean denies() {
		return this.kind != BanKind.MARK;
	}

}
