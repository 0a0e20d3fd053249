package dev.ratelimit.envoy;

import java.util.Optional;

import dev.ratelimit.gate.Call;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleMatch;

/**
 * A rule that applies to descriptors of a call, which are of one subject. Immutable.
 *
 * @param rule the rule
 * @param subject the values that its key names, as a subject
 * @param units what they cost together; 0 only reads what is left
 * @param reported how many of them are used already, whatever is decided
 */
record DescriptorMatch(GateRule<DescriptorCall> rule, Optional<String> subject, long units,
		long reported) implements RuleMatch<DescriptorMatch.DescriptorCall> {

	/** What one call can cost under one rule. */
	static final long MAX_UNITS = 1L << 40;

	/**
	 * The same for further descriptors of the subject.
	 * @param other the other descriptors
	 * @return both together
	 */
	DescriptorMatch and(DescriptorMatch other) {
		return new DescriptorMatch(this.rule, this.subject, Math.min(MAX_UNITS, this.units + other.units),
				Math.min(MAX_UNITS, this.reported + other.reported));
	}

	boolean isOfBucketsOf(DescriptorMatch other) {
		return this.rule == other.rule && this.subject.equals(other.subject);
	}

	/**
	 * A call of Envoy. All that rules read of it is in the matches.
	 */
	record DescriptorCall() implements Call {
	}

}
