package dev.ratelimit.web;

import dev.ratelimit.Phase;

/**
 * Internal: the rules that one step of a gate evaluates. Immutable.
 */
public sealed interface RuleScope permits RuleScope.OfPhase, RuleScope.OfRewrittenPath, NamedRules {

	/** The rules of the early phase. */
	RuleScope EARLY = new OfPhase(Phase.EARLY);

	/** The rules of the late phase. */
	RuleScope LATE = new OfPhase(Phase.LATE);

	/**
	 * The rules of both phases, for a request whose path was changed after a filter
	 * evaluated it, or that no filter has evaluated. Rules that have already charged the
	 * request are omitted.
	 */
	RuleScope REWRITTEN = new OfRewrittenPath(false);

	/**
	 * The same rules, for a request whose path was changed before the late phase.
	 */
	RuleScope REWRITTEN_BETWEEN = new OfRewrittenPath(true);

	/**
	 * Return the rules of a phase.
	 * @param phase early or late
	 * @return the scope
	 */
	static RuleScope of(Phase phase) {
		return (phase == Phase.EARLY) ? EARLY : LATE;
	}

	/**
	 * Return the rules of a request whose path was changed before a phase.
	 * @param phase early or late
	 * @return the scope
	 */
	static RuleScope rewrittenBefore(Phase phase) {
		return (phase == Phase.LATE) ? REWRITTEN_BETWEEN : REWRITTEN;
	}

	/**
	 * The rules of one phase.
	 *
	 * @param phase early or late
	 */
	record OfPhase(Phase phase) implements RuleScope {
	}

	/**
	 * The rules of both phases.
	 *
	 * @param late whether they are evaluated in place of the late phase
	 */
	record OfRewrittenPath(boolean late) implements RuleScope {
	}

}
