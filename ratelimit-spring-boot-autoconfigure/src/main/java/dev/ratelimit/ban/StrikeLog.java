package dev.ratelimit.ban;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.rule.BanTerms;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Stance;

/**
 * The hidden limit that counts the strikes of a rule: the charge that does not fit bans.
 * Immutable.
 *
 * @param rule the rule's id
 * @param terms what it was made of
 * @param buckets the buckets of the subjects; none if the first strike bans
 * @param underWay how many strikes are being counted
 */
record StrikeLog(String rule, BanTerms terms, List<BucketFamily> buckets, AtomicInteger underWay) {

	/** Of one rule, so that a flood of one rule drops no strikes of another. */
	private static final int MAX_UNDER_WAY = 64;

	static StrikeLog of(String rule, BanTerms terms) {
		if (terms.after() == 1) {
			return new StrikeLog(rule, terms, List.of(), new AtomicInteger());
		}
		Limit limit = limit(terms.after() - 1L, terms.within());
		// No plan has an exclamation mark in its name.
		String scope = rule + ".!strikes";
		return new StrikeLog(rule, terms,
				List.of(new BucketFamily(new Policy(scope, rule, limit, Policy.Unit.REQUESTS, true),
						Algorithms.of(limit), scope)),
				new AtomicInteger());
	}

	private static Limit limit(long strikes, Duration within) {
		return new Limit(Algorithms.EXACT, strikes, within, strikes);
	}

	/**
	 * Begin to count a strike, unless too many are under way.
	 * @return whether it may be counted, and is to be {@linkplain #end ended}
	 */
	boolean begin() {
		if (this.underWay.incrementAndGet() <= MAX_UNDER_WAY) {
			return true;
		}
		this.underWay.decrementAndGet();
		return false;
	}

	/** A strike has been counted, or could not be. */
	void end() {
		this.underWay.decrementAndGet();
	}

	/**
	 * Count a strike.
	 * @param limits where it is charged
	 * @param subject the subject
	 * @param deadlineNanos until when
	 * @return whether it bans
	 */
	CompletableFuture<Boolean> strike(LimitStore limits, String subject, long deadlineNanos) {
		if (this.buckets.isEmpty()) {
			return CompletableFuture.completedFuture(true);
		}
		Charge strike = new Charge(of(subject).get(0), 1, FailurePolicy.OPEN, Stance.ENFORCED, false);
		return limits.acquire(new AcquireRequest(List.of(strike), Optional.empty(), deadlineNanos))
			.thenApply((result) -> !result.admitted());
	}

	CompletableFuture<Void> reset(LimitStore limits, String subject) {
		return limits.reset(of(subject));
	}

	BanOrder order(String subject) {
		return BanOrder.byStrikes(this.rule, subject, this.terms);
	}

	private List<Bucket> of(String subject) {
		return this.buckets.stream().map((family) -> new Bucket(family, subject)).toList();
	}

}
