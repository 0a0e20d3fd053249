package dev.ratelimit.testing;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.Decision;
import dev.ratelimit.Reason;
import dev.ratelimit.Verdict;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on a {@link Decision}. Limits have the names that headers show: the rule's
 * id, with the window if the rule has several limits.
 *
 * @since 0.1.0
 */
public final class DecisionAssert extends AbstractAssert<DecisionAssert, Decision> {

	DecisionAssert(@Nullable Decision decision) {
		super(decision, DecisionAssert.class);
	}

	/**
	 * Verify that the request is allowed.
	 * @return this
	 */
	public DecisionAssert isAllowed() {
		isNotNull();
		if (!this.actual.allowed()) {
			failWithMessage("Expected the decision to be allowed, but it is rejected: %s", this.actual);
		}
		return this;
	}

	/**
	 * Verify that the request is rejected.
	 * @return this
	 */
	public DecisionAssert isRejected() {
		isNotNull();
		if (this.actual.allowed()) {
			failWithMessage("Expected the decision to be rejected, but it is allowed: %s", this.actual);
		}
		return this;
	}

	/**
	 * Verify the reason of the decision.
	 * @param reason the reason
	 * @return this
	 */
	public DecisionAssert hasReason(Reason reason) {
		isNotNull();
		if (this.actual.reason() != reason) {
			failWithMessage("Expected the reason %s, but it is %s: %s", reason, this.actual.reason(), this.actual);
		}
		return this;
	}

	/**
	 * Verify the remaining units of a limit.
	 * @param limit the name of the limit
	 * @param remaining the remaining whole units
	 * @return this
	 */
	public DecisionAssert hasRemaining(String limit, long remaining) {
		long found = verdict(limit).remaining();
		if (found != remaining) {
			failWithMessage("Expected %2$s units of '%1$s' to remain, but %3$s remain: %4$s", limit, remaining, found,
					this.actual);
		}
		return this;
	}

	/**
	 * Verify the wait of a limit.
	 * @param limit the name of the limit
	 * @param wait the wait, zero if the request fits
	 * @return this
	 */
	public DecisionAssert hasRetryAfter(String limit, Duration wait) {
		Optional<Duration> found = verdict(limit).retryAfter();
		if (!found.equals(Optional.of(wait))) {
			failWithMessage("Expected '%s' to require a wait of %s, but it requires %s: %s", limit, wait,
					found.map(Duration::toString).orElse("none, since no wait helps"), this.actual);
		}
		return this;
	}

	private Verdict verdict(String limit) {
		isNotNull();
		List<String> names = this.actual.verdicts().stream().map((verdict) -> verdict.policy().name()).toList();
		if (!names.contains(limit)) {
			throw failure("Expected a verdict of the limit '%s', but there are only %s: %s", limit, names, this.actual);
		}
		return this.actual.verdicts().get(names.indexOf(limit));
	}

}
