package dev.ratelimit.waiting;

import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.PreparedDecision;
import dev.ratelimit.engine.WaitRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import org.jspecify.annotations.Nullable;

/**
 * The exhausted bucket that a request waits for. Immutable.
 *
 * @param bucket the bucket
 * @param rule the rule that lets the request wait
 * @param retryNanos the minimum wait in nanoseconds; negative if it is not known
 */
record ExhaustedBucket(Bucket bucket, AppliedRule rule, long retryNanos) {

	/**
	 * The maximum wait until the next attempt for a slot, since slots are freed at any
	 * time.
	 */
	static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/**
	 * Return the exhausted bucket that a rejected request may wait for.
	 * @param prepared the rejection
	 * @param request the request
	 * @return the exhausted bucket with the longest wait; null if the request may not
	 * wait, or if a wait cannot succeed
	 */
	static @Nullable ExhaustedBucket of(PreparedDecision prepared, WaitRequest request) {
		ExhaustedBucket longest = null;
		List<Verdict> verdicts = prepared.decision().verdicts();
		for (int i = 0; i < verdicts.size(); i++) {
			Verdict verdict = verdicts.get(i);
			if (verdict.outcome().passes()) {
				continue;
			}
			AppliedRule rule = rule(prepared.applied(), verdict);
			if (i >= prepared.charges().size() || rule == null || verdict.outcome() != Outcome.REJECTED
					|| verdict.retryAfterMillis() < 0 || request.maxNanos(rule) < 0) {
				return null;
			}
			ExhaustedBucket one = new ExhaustedBucket(prepared.charges().get(i).bucket(), rule, retryNanos(verdict));
			longest = (longest == null || one.retryNanos > longest.retryNanos) ? one : longest;
		}
		return longest;
	}

	private static @Nullable AppliedRule rule(List<AppliedRule> applied, Verdict verdict) {
		for (AppliedRule one : applied) {
			if (one.rule().rule().id().equals(verdict.policy().ruleId())) {
				return one;
			}
		}
		return null;
	}

	/**
	 * Return the time until the next attempt on an exhausted bucket.
	 * @param verdict its verdict
	 * @return nanoseconds
	 */
	static long retryNanos(Verdict verdict) {
		long nanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, verdict.retryAfterMillis()));
		return (verdict.policy().concurrent()) ? Math.min(SLOT_NANOS, nanos) : nanos;
	}

	/**
	 * Return all buckets that a request may wait for.
	 * @param rule a rule that applies to the request
	 * @return the buckets of the rule's subject
	 */
	static List<Bucket> buckets(AppliedRule rule) {
		return rule.limits()
			.families()
			.stream()
			.map((BucketFamily family) -> new Bucket(family, rule.subject()))
			.toList();
	}

}
