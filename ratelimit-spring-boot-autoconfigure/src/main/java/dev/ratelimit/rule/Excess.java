package dev.ratelimit.rule;

import java.util.List;

import dev.ratelimit.ExcessPolicy;
import dev.ratelimit.FailurePolicy;

/**
 * Internal: what a rule does with requests that exceed its limits, and with those who
 * send them. Immutable.
 *
 * @param policy what happens to the request
 */
public record Excess(ExcessPolicy policy) {

	static Excess of(RuleOptions written) {
		return new Excess(written.find(RuleOptions.ON_EXCESS).orElse(ExcessPolicy.REJECT));
	}

	/**
	 * Whether a request that exceeds the limits is rejected.
	 * @return whether it is rejected, at once or later
	 */
	public boolean rejects() {
		return this.policy != ExcessPolicy.DEGRADE;
	}

	void check(FailurePolicy failure, List<String> replaces) {
		Checks.UNPLACED.require(rejects() || failure != FailurePolicy.CLOSED, ".on-excess", EnumNames.of(this.policy),
				"'failure: closed' rejects requests, but this rule never does",
				"Remove 'failure: closed', or use a rule of its own for it.");
		Checks.UNPLACED.require(rejects() || replaces.isEmpty(), ".on-excess", EnumNames.of(this.policy),
				"a client above the limit would be rejected neither by this rule nor by the replaced rules",
				"Remove 'on-excess' or 'replaces'.");
	}

}
