package dev.ratelimit.envoy;

import java.util.Optional;

import dev.ratelimit.gate.Call;
import dev.ratelimit.gate.GateRule;
import dev.ratelimit.gate.RuleMatch;

/**
 * A rule that applies to descriptors of a call, all of one subject. Immutable.
 *
 * @param rule the rule
 * @param subject the subject, which consists of the values of the entries in the key
 * @param units the total cost of the descriptors; 0 to only read the remaining units
 * @param reported the number of units that are already used, regardless of the decision
 */
record DescriptorMatch(GateRule<DescriptorCall> rule, Optional<String> subject, long units,
		long reported) implements RuleMatch<DescriptorMatch.DescriptorCall> {

	/** The maximum cost of one call under one rule. */
	static final long MAX_UNITS = 1L << 40;

	/**
	 * Return this match with further descriptors of the subject.
	 * @param other the other descriptors
	 * @return the combined match
	 */
	DescriptorMatch and(DescriptorMatch other) {
		return new DescriptorMatch(this.rule, this.subject, Math.min(MAX_UNITS, this.units + other.units),
				Math.min(MAX_UNITS, this.reported + other.reported));
	}

	boolean isOfBucketsOf(DescriptorMatch other) {
		return this.rule == other.rule && this.subject.equals(other.subject);
	}

	/**
	 * A call of Envoy. It is empty, because the matches contain all data that rules read.
	 */
	record DescriptorCall() implements Call {
	}

}
