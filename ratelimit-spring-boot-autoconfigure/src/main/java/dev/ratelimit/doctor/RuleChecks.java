package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * Internal: what can be told of rules without any request. It is looked at once, when
 * rules come into force. Thread-safe.
 */
public final class RuleChecks implements Check {

	private final boolean lending;

	private volatile List<Finding> findings = List.of();

	/**
	 * No rules yet.
	 * @param lending whether the store leases
	 */
	public RuleChecks(boolean lending) {
		this.lending = lending;
	}

	/**
	 * Look at the active rules.
	 * @param rules all rules
	 * @param phased whether an authentication lies between the phases
	 */
	public void use(List<RuleReach> rules, boolean phased) {
		List<Finding> found = new ArrayList<>(RedundantRuleCheck.in(rules));
		found.addAll(ClientSetKeyCheck.in(rules, phased));
		if (this.lending) {
			found.addAll(IdleLeases.in(rules));
		}
		this.findings = List.copyOf(found);
	}

	@Override
	public List<Finding> findings() {
		return this.findings;
	}

}
