package dev.ratelimit.web;

import java.util.OptionalLong;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.Wait;

/**
 * Internal: the expected verdict of a bucket on a cost that is not charged. Immutable.
 *
 * @param verdict the observed state of the bucket
 * @param cost the cost
 * @param source the source of the observation
 */
public record ExpectedVerdict(Verdict verdict, long cost, Source source) {

	/**
	 * Return whether the cost would fit, by the known state.
	 * @return whether this limit would allow the request
	 */
	public boolean passes() {
		return (this.verdict.outcome().measured()) ? fits() : this.verdict.outcome().passes();
	}

	private boolean fits() {
		long left = this.verdict.remaining();
		return this.cost <= left || (left > 0 && this.cost <= left + credit());
	}

	private long credit() {
		return this.verdict.policy().limit().map(Limit::credit).orElse(0L);
	}

	/**
	 * Return the wait after which the cost would fit without other charges.
	 * @return milliseconds, rounded up; {@link Wait#NEVER} if no wait is long enough;
	 * empty if the limit would allow the request, or if the wait is unknown
	 */
	public OptionalLong retryAfterMillis() {
		if (passes() || this.verdict.policy().limit().isEmpty()) {
			return (passes()) ? OptionalLong.empty() : OptionalLong.of(Wait.NEVER);
		}
		if (this.cost > this.verdict.policy().capacity() + credit()) {
			return OptionalLong.of(Wait.NEVER);
		}
		return missing(this.verdict.policy().limit().get());
	}

	private OptionalLong missing(Limit limit) {
		long further = this.cost - this.verdict.remaining() - 1;
		if (!this.verdict.outcome().measured() || (further > 0 && !Algorithms.of(limit).refillsEvenly())) {
			return OptionalLong.empty();
		}
		double each = (double) limit.period().toMillis() / limit.quantity();
		return OptionalLong.of(this.verdict.nextUnitMillis() + (long) Math.ceil(further * each));
	}

}
