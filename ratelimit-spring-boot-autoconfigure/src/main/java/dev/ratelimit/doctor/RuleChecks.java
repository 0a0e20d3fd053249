package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.store.lease.IdleLeases;
import org.jspecify.annotations.Nullable;

/**
 * Internal: what can be told of rules without any request. It is looked at once for each
 * set of rules, when the doctor looks: comparing all rules takes its time, and rules
 * become active on threads that others wait for. Thread-safe.
 */
public final class RuleChecks implements Check {

	private final boolean leasing;

	private final Examination examination;

	private volatile Rules rules = new Rules(List.of(), false);

	private @Nullable Rules examined;

	private List<Finding> findings = List.of();

	/**
	 * No rules yet.
	 * @param leasing whether the store leases
	 */
	public RuleChecks(boolean leasing) {
		this(leasing, RuleChecks::examine);
	}

	RuleChecks(boolean leasing, Examination examination) {
		this.leasing = leasing;
		this.examination = examination;
	}

	/**
	 * The rules that are active from now on.
	 * @param rules all rules
	 * @param phased whether an authentication lies between the phases
	 */
	public void use(List<RuleReach> rules, boolean phased) {
		this.rules = new Rules(rules, phased);
	}

	@Override
	public synchronized List<Finding> findings() {
		Rules current = this.rules;
		if (current != this.examined) {
			this.findings = this.examination.findings(current.reaches(), current.phased(), this.leasing);
			this.examined = current;
		}
		return this.findings;
	}

	private static List<Finding> examine(List<RuleReach> rules, boolean phased, boolean leasing) {
		List<Finding> found = new ArrayList<>(RedundantRuleCheck.in(rules));
		found.addAll(ClientSetKeyCheck.in(rules, phased));
		found.addAll(LongWaitCheck.in(rules));
		if (leasing) {
			found.addAll(IdleLeases.in(rules));
		}
		return List.copyOf(found);
	}

	private record Rules(List<RuleReach> reaches, boolean phased) {
	}

	/**
	 * Looks at all rules.
	 */
	@FunctionalInterface
	interface Examination {

		List<Finding> findings(List<RuleReach> rules, boolean phased, boolean leasing);

	}

}
