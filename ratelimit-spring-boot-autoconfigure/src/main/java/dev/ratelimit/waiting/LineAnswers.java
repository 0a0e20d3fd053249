package dev.ratelimit.waiting;

import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.Asked;

/**
 * What requests are told that wait for a bucket, or may not.
 */
final class LineAnswers {

	private static final long SECOND = 1000;

	private LineAnswers() {
	}

	static Decision full(Holdup held, long retryNanos) {
		return rejection(held, Outcome.LINE_FULL, Reason.LIMIT_EXCEEDED, retryNanos);
	}

	static Decision of(LineListener.End end, Holdup held, long retryNanos) {
		return switch (end) {
			case WAITED_OUT -> waitedOut(held, retryNanos);
			case CLOSED -> closed(held);
			default -> full(held, retryNanos);
		};
	}

	static Decision waitedOut(Holdup held, long retryNanos) {
		return rejection(held, Outcome.WAITED_OUT, Reason.LIMIT_EXCEEDED, retryNanos);
	}

	// Another instance can serve the request, in a second.
	static Decision closed(Holdup held) {
		return rejection(held, Outcome.FAILED_CLOSED, Reason.STORE_UNAVAILABLE, TimeUnit.MILLISECONDS.toNanos(SECOND));
	}

	// What the store said, with the wait that the line adds.
	static Decision denied(Asked asked, Holdup held, long retryNanos) {
		List<Verdict> verdicts = asked.decision()
			.verdicts()
			.stream()
			.map((verdict) -> (verdict == asked.verdict(held.bucket())) ? later(verdict, millis(retryNanos)) : verdict)
			.toList();
		return new Decision(false, asked.decision().reason(), asked.decision().source(), verdicts);
	}

	private static Verdict later(Verdict verdict, long retryMillis) {
		return new Verdict(verdict.policy(), verdict.outcome(), verdict.cost(), verdict.remaining(),
				Math.max(verdict.retryAfterMillis(), retryMillis), verdict.resetAfterMillis(),
				verdict.nextUnitMillis());
	}

	private static Decision rejection(Holdup held, Outcome outcome, Reason reason, long retryNanos) {
		return new Decision(false, reason, Source.LOCAL, List
			.of(Verdict.unmeasured(held.bucket().family().policy(), outcome, held.rule().cost(), millis(retryNanos))));
	}

	private static long millis(long nanos) {
		return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
	}

}
