package dev.ratelimit.gate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Reason;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.Edition;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the progress of a request. Immutable.
 *
 * @param edition the edition of the rules that the request met first; null if it has met
 * none yet
 * @param decision the decisions of all phases so far, as one
 * @param spentNanos the time that it has waited for the store so far
 * @param matched the result of the matching in the phase before, if there is one
 * @param endings the actions at the end of the request, of all phases so far
 * @param delay the delay of the request before it continues
 * @param partitions the keys of the partitions by rule, as they are written in header
 * fields; empty if they are not disclosed
 */
public record RequestProgress(@Nullable Edition edition, Decision decision, long spentNanos, @Nullable Matched matched,
		Endings endings, Delay delay, Map<String, String> partitions) {

	/** A request that has met no rule. */
	public static final RequestProgress START = new RequestProgress(null, Decision.UNMATCHED, 0, null, Endings.NONE,
			Delay.NONE, Map.of());

	/**
	 * Return the progress of a request that is rejected because of a call that it caused.
	 * @param decision the rejection
	 * @return the progress
	 */
	public static RequestProgress of(Decision decision) {
		return new RequestProgress(null, decision, 0, null, Endings.NONE, Delay.NONE, Map.of());
	}

	/**
	 * Return the progress of a request that has met an edition of the rules, and no rule.
	 * @param edition the edition
	 * @return the progress
	 */
	public static RequestProgress in(Edition edition) {
		return in(edition, 0);
	}

	/**
	 * Return the progress of a request that has already used a part of its deadline for
	 * the store.
	 * @param edition the edition of the rules that it meets
	 * @param spentNanos the part of the deadline that is used
	 * @return the progress
	 */
	public static RequestProgress in(Edition edition, long spentNanos) {
		return new RequestProgress(edition, Decision.UNMATCHED, spentNanos, null, Endings.NONE, Delay.NONE, Map.of());
	}

	/**
	 * Whether no rule has applied so far.
	 * @return true if there is no decision yet
	 */
	public boolean untouched() {
		return this.decision == Decision.UNMATCHED;
	}

	boolean hasDecided(String ruleId) {
		List<Verdict> verdicts = this.decision.verdicts();
		for (int i = 0; i < verdicts.size(); i++) {
			if (verdicts.get(i).policy().ruleId().equals(ruleId)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Whether the request may continue.
	 * @return whether it is allowed so far
	 */
	public boolean allowed() {
		return this.decision.allowed();
	}

	/**
	 * Whether there are actions at the end of the request.
	 * @return whether the end of the request must be reported
	 */
	public boolean pending() {
		return !this.endings.isEmpty();
	}

	/**
	 * Free the slots that are held only while the request is processed, and its place in
	 * a queue. A second call has no effect.
	 */
	public void free() {
		freeSince(START);
	}

	/**
	 * Free the slots that were taken after an earlier progress, and the place in a queue.
	 * A second call has no effect.
	 * @param before the earlier progress of the request
	 */
	public void freeSince(RequestProgress before) {
		if (waits()) {
			this.delay.abandon();
			// If the wait is over already, the slots of its decision are freed.
			afterWait().thenAccept((progress) -> progress.freeSince(before));
		}
		this.endings.since(before.endings).free(Ending.NO_STATUS);
	}

	/**
	 * Free the slots that are held only while the request is processed. A second call has
	 * no effect.
	 * @param status the status of the response as far as it is known
	 */
	public void free(int status) {
		this.endings.free(status);
	}

	/**
	 * End the charges that were made after an earlier progress, because the steps after
	 * it are repeated.
	 * @param before the earlier progress
	 * @param status the status of this attempt, or {@link Ending#NO_STATUS}
	 * @return the earlier progress, also with the endings of this attempt if it had no
	 * status
	 */
	public RequestProgress rewindTo(RequestProgress before, int status) {
		Endings attempt = this.endings.since(before.endings);
		attempt.free(status);
		boolean settled = status != Ending.NO_STATUS;
		if (settled) {
			attempt.settle(status);
		}
		return new RequestProgress(this.edition, before.decision, before.spentNanos, before.matched,
				(settled) ? before.endings : this.endings, before.delay, before.partitions);
	}

	/**
	 * Refund the charges so far. A second call has no effect.
	 */
	public void cancel() {
		this.decision.reservation().cancel();
	}

	/**
	 * Refund the charges so far and free the slots of a request that is not served.
	 */
	public void abandon() {
		cancel();
		free();
	}

	/**
	 * Return the decision to reject this call, because it cannot be delayed for as long
	 * as its limits require.
	 * @return the decision, with the limits that require the longest delay
	 */
	public Decision rejectedDelay() {
		List<Verdict> verdicts = this.decision.verdicts()
			.stream()
			.filter((verdict) -> verdict.delayMillis() == this.decision.delayMillis())
			.map((verdict) -> Verdict.unmeasured(verdict.policy(), Outcome.QUEUE_FULL, verdict.cost(),
					verdict.delayMillis()))
			.toList();
		return new Decision(false, Reason.LIMIT_EXCEEDED, this.decision.source(), verdicts);
	}

	/**
	 * Refund or count charges by the status of the response.
	 * @param status the status of the response
	 */
	public void settle(int status) {
		this.endings.settle(status);
	}

	/**
	 * Refund or count the charges that were made after an earlier progress.
	 * @param before the earlier progress of the request
	 * @param status the status of the response
	 */
	public void settleSince(RequestProgress before, int status) {
		this.endings.since(before.endings).settle(status);
	}

	/**
	 * Return this progress with a rejection, which has no actions at the end of the call.
	 * @param rejection the rejection
	 * @return the progress
	 */
	public RequestProgress rejected(Decision rejection) {
		return decided(rejection, 0, Completion.NONE, Delay.NONE);
	}

	/**
	 * Return this progress with a further decision.
	 * @param further the decision
	 * @param tookNanos the time that the store took
	 * @param left the actions of this decision at the end of the request
	 * @param delayed the delay by a limit of this decision
	 * @return the progress
	 */
	public RequestProgress decided(Decision further, long tookNanos, Completion left, Delay delayed) {
		return new RequestProgress(this.edition, this.decision.then(further), this.spentNanos + tookNanos, this.matched,
				this.endings.and(left), Delay.later(this.delay, delayed), this.partitions);
	}

	/**
	 * Whether the request waits for its turn in a queue, so that its decision is not yet
	 * made.
	 * @return whether the front must wait for its {@link #afterWait}
	 */
	public boolean waits() {
		return this.delay instanceof Delay.Queued;
	}

	/**
	 * Return the time that the request has waited in a queue.
	 * @return nanoseconds; 0 if it does not wait
	 */
	public long waitedNanos() {
		return (this.delay instanceof Delay.Queued queued) ? queued.ticket().waitedNanos() : 0;
	}

	/**
	 * Return the progress after the wait.
	 * @return the progress after the wait
	 */
	public CompletableFuture<RequestProgress> afterWait() {
		return (this.delay instanceof Delay.Queued queued)
				? queued.next().thenApply((progress) -> (RequestProgress) progress)
				: CompletableFuture.completedFuture(this);
	}

	/**
	 * Return this progress with a further step before the request continues.
	 * @param step the step after the wait
	 * @return the progress; unchanged if the request does not wait
	 */
	public RequestProgress then(Function<RequestProgress, CompletableFuture<RequestProgress>> step) {
		return (this.delay instanceof Delay.Queued queued)
				? waiting(new Delay.Queued(queued.ticket(), afterWait().thenCompose(step))) : this;
	}

	RequestProgress waiting(Delay.Queued queued) {
		return new RequestProgress(this.edition, this.decision, this.spentNanos, this.matched, this.endings, queued,
				this.partitions);
	}

	/**
	 * Return this progress with a further action at the end of the request.
	 * @param ending the action
	 * @return the progress
	 */
	public RequestProgress ending(Ending ending) {
		return (ending.pending()) ? new RequestProgress(this.edition, this.decision, this.spentNanos, this.matched,
				this.endings.and(ending), this.delay, this.partitions) : this;
	}

	RequestProgress partitioned(Map<String, String> further) {
		if (further.isEmpty()) {
			return this;
		}
		Map<String, String> all = new HashMap<>(this.partitions);
		all.putAll(further);
		return new RequestProgress(this.edition, this.decision, this.spentNanos, this.matched, this.endings, this.delay,
				Map.copyOf(all));
	}

	/**
	 * Return this progress with the result of the matching.
	 * @param found the result
	 * @return the progress
	 */
	public RequestProgress knowing(Matched found) {
		return new RequestProgress(this.edition, this.decision, this.spentNanos, found, this.endings, this.delay,
				this.partitions);
	}

	/**
	 * The result of the matching in one phase, for the next phase of the same front.
	 */
	public interface Matched {

	}

}
