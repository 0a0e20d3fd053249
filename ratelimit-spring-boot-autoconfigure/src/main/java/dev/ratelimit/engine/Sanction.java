package dev.ratelimit.engine;

import dev.ratelimit.BanKind;
import dev.ratelimit.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the sanction of a rule on all requests of a subject until a time. Immutable.
 *
 * @param kind the kind, which determines whether it rejects them
 * @param untilNanos the end, in the time of the instance
 */
public record Sanction(BanKind kind, long untilNanos) {

	boolean denies() {
		return this.kind != BanKind.MARK;
	}

	/**
	 * Return the rule to charge for the subject.
	 * @param rule the rule, in the mode for the subject
	 * @return the rule, in the mode for marked subjects if the sanction is a mark
	 */
	public CompiledRule marking(CompiledRule rule) {
		return (denies() || rule.policy().shadow()) ? rule : rule.marking();
	}

	/**
	 * Return the rejection that replaces the charge of the subject.
	 * @param rule the rule, in the mode for the subject
	 * @param subject the subject
	 * @param nowNanos the time of the instance
	 * @return the rejection; null if the rule charges the subject
	 */
	public @Nullable AppliedRule denial(CompiledRule rule, String subject, long nowNanos) {
		if (!denies() || rule.policy().shadow()) {
			return null;
		}
		long millis = (this.untilNanos - nowNanos + 999_999) / 1_000_000;
		return new AppliedRule(rule, CompiledLimits.denying(this.kind, Math.max(1, millis)), subject, rule.units());
	}

	Outcome outcome() {
		return switch (this.kind) {
			case BAN -> Outcome.BANNED;
			case MARK -> Outcome.MARKED;
			case PAUSE -> Outcome.PAUSED;
		};
	}

}
