package dev.ratelimit.method;

import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.Verdict;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.gate.WaitingThreads;

/**
 * Where threads wait that call a limited method: for its turn in a line, or for as long
 * as a leaky bucket holds the call. Thread-safe.
 *
 * @param places the places
 */
record MethodThreads(WaitingThreads places) {

	MethodThreads(int places) {
		this(new WaitingThreads(places));
	}

	/**
	 * Wait for a call.
	 * @param entered how far the call has come
	 * @param method its method
	 * @return the decision
	 */
	Decision await(RequestProgress entered, LimitedMethod method) {
		if (!entered.waits() && entered.hold().leftNanos() == 0) {
			return entered.decision();
		}
		try {
			RequestProgress progress = (entered.waits()) ? this.places.turn(entered) : entered;
			return (progress.allowed() && progress.hold().leftNanos() > 0) ? hold(progress, method)
					: progress.decision();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while a call waited for its turn", ex);
		}
	}

	private Decision hold(RequestProgress progress, LimitedMethod method) throws InterruptedException {
		try {
			boolean patient = progress.hold().leftNanos() <= method.maxWaitNanos();
			return (patient && this.places.hold(progress)) ? progress.decision() : rejected(progress.decision());
		}
		catch (InterruptedException ex) {
			progress.cancel();
			throw ex;
		}
	}

	// The bucket would hold the call for longer than it may wait.
	private static Decision rejected(Decision held) {
		held.reservation().cancel();
		List<Verdict> verdicts = held.verdicts()
			.stream()
			.filter((verdict) -> verdict.delayMillis() == held.delayMillis())
			.map((verdict) -> Verdict.unmeasured(verdict.policy(), Outcome.LINE_FULL, verdict.cost(),
					verdict.delayMillis()))
			.toList();
		return new Decision(false, Reason.LIMIT_EXCEEDED, held.source(), verdicts);
	}

}
