package dev.ratelimit.engine;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Decision;
import dev.ratelimit.RuleCharge;
import org.jspecify.annotations.Nullable;

/**
 * Internal: what compares decisions with those of a candidate, while there is one.
 * Thread-safe.
 */
public final class CandidateTrials {

	/** Null while no candidate is compared. */
	private volatile @Nullable CandidateTrial trial;

	/**
	 * Compare all decisions with those of a candidate from now on.
	 * @param next compares them; null to compare none
	 */
	public void compareWith(@Nullable CandidateTrial next) {
		this.trial = next;
	}

	boolean any() {
		return this.trial != null;
	}

	/**
	 * What compares decisions of an edition with those of a candidate.
	 * @param edition the edition
	 * @return compares them; null if there is no candidate beside that edition
	 */
	public @Nullable CandidateTrial find(@Nullable Edition edition) {
		CandidateTrial present = this.trial;
		return (present != null && present.base() == edition) ? present : null;
	}

	/**
	 * Compare a decision on rules that code names with that of the candidate, if there is
	 * one.
	 * @param edition the edition that decides
	 * @param charges the rules
	 * @param decision the decision
	 * @return the decision
	 */
	public CompletableFuture<Decision> compared(Edition edition, Collection<RuleCharge> charges,
			CompletableFuture<Decision> decision) {
		CandidateTrial beside = find(edition);
		return (beside != null) ? RequestedRules.compared(beside, charges, decision) : decision;
	}

}
