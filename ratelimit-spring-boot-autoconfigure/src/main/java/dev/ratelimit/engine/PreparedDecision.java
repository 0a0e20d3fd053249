package dev.ratelimit.engine;

import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a decision before the listeners receive it.
 *
 * @param applied the rules
 * @param charges the charges requested from the store, in the order of the decision's
 * verdicts; empty if the store was not called
 * @param decision the decision
 * @param startNanos the time of the request
 */
public record PreparedDecision(List<AppliedRule> applied, List<Charge> charges, Decision decision, long startNanos) {

	/**
	 * Whether the request is allowed.
	 * @return whether the decision allows it
	 */
	public boolean allowed() {
		return this.decision.allowed();
	}

	/**
	 * The verdict on a bucket.
	 * @param bucket the bucket
	 * @return the verdict; null if the bucket was not charged
	 */
	public @Nullable Verdict verdict(Bucket bucket) {
		for (int i = 0; i < this.charges.size(); i++) {
			if (this.charges.get(i).bucket().equals(bucket)) {
				return this.decision.verdicts().get(i);
			}
		}
		return null;
	}

}
