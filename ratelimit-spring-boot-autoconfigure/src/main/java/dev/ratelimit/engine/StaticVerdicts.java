package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.Verdict;

/**
 * Internal: verdicts that do not require the store, of rules that allow or reject all
 * requests of a client.
 */
public final class StaticVerdicts {

	private StaticVerdicts() {
	}

	public static List<Verdict> verdicts(List<AppliedRule> applied) {
		List<Verdict> verdicts = List.of();
		for (AppliedRule one : applied) {
			if (one.limits().kind() != CompiledLimits.Kind.LIMITED) {
				verdicts = join(verdicts, List.of(verdict(one)));
			}
		}
		return verdicts;
	}

	public static boolean reject(List<Verdict> verdicts) {
		for (Verdict verdict : verdicts) {
			if (!verdict.outcome().passes()) {
				return true;
			}
		}
		return false;
	}

	public static List<Verdict> join(List<Verdict> first, List<Verdict> second) {
		if (first.isEmpty() || second.isEmpty()) {
			return (first.isEmpty()) ? second : first;
		}
		List<Verdict> all = new ArrayList<>(first);
		all.addAll(second);
		return List.copyOf(all);
	}

	private static Verdict verdict(AppliedRule one) {
		Outcome outcome = outcome(one);
		boolean passes = outcome == Outcome.UNLIMITED || outcome == Outcome.BYPASSED;
		return Verdict.unmeasured(one.rule().policy(), outcome, one.cost(), (passes) ? 0 : one.limits().waitMillis());
	}

	private static Outcome outcome(AppliedRule one) {
		boolean shadow = one.rule().policy().shadow();
		return switch (one.limits().kind()) {
			case UNLIMITED -> Outcome.UNLIMITED;
			case BYPASSED -> Outcome.BYPASSED;
			case DENY_LISTED -> (shadow) ? Outcome.SHADOW_REJECTED : Outcome.DENY_LISTED;
			case BANNED -> (shadow) ? Outcome.SHADOW_REJECTED : Outcome.BANNED;
			case PAUSED -> (shadow) ? Outcome.SHADOW_REJECTED : Outcome.PAUSED;
			case BLOCKED, LIMITED -> (shadow) ? Outcome.SHADOW_REJECTED : Outcome.BLOCKED;
		};
	}

	/**
	 * Return the reason of verdicts that do not require the store.
	 * @param verdicts the verdicts, at least one
	 * @return the reason
	 */
	static Reason reason(List<Verdict> verdicts) {
		if (reject(verdicts)) {
			if (has(verdicts, Outcome.DENY_LISTED)) {
				return Reason.DENY_LISTED;
			}
			if (has(verdicts, Outcome.BANNED)) {
				return Reason.BANNED;
			}
			return (has(verdicts, Outcome.BLOCKED)) ? Reason.BLOCKED : Reason.PAUSED;
		}
		boolean all = verdicts.stream().allMatch((verdict) -> verdict.outcome() == Outcome.BYPASSED);
		return (all) ? Reason.BYPASSED : Reason.WITHIN_LIMITS;
	}

	private static boolean has(List<Verdict> verdicts, Outcome outcome) {
		return verdicts.stream().anyMatch((verdict) -> verdict.outcome() == outcome);
	}

}
