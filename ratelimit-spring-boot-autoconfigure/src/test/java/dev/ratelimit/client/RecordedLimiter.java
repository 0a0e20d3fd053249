package dev.ratelimit.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import reactor.core.publisher.Mono;

/**
 * A limiter that records its calls and returns configured results.
 */
final class RecordedLimiter implements RateLimiter {

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final Queue<Decision> next = new ArrayDeque<>();

	List<String> calls() {
		return this.calls;
	}

	void allowNext() {
		this.next.add(new Decision(true, Reason.WITHIN_LIMITS, Source.REMOTE, List.of()));
	}

	void rejectNext() {
		this.next.add(new Decision(false, Reason.LIMIT_EXCEEDED, Source.REMOTE, List.of()));
	}

	void rejectNext(Reason reason, Duration retryAfter) {
		Outcome outcome = (reason == Reason.PAUSED) ? Outcome.PAUSED : Outcome.REJECTED;
		this.next.add(new Decision(false, reason, Source.REMOTE,
				List.of(Verdict.unmeasured(Policy.ANY, outcome, 1, retryAfter.toMillis()))));
	}

	private Decision decide(String call) {
		this.calls.add(call);
		return (!this.next.isEmpty()) ? this.next.remove()
				: new Decision(true, Reason.WITHIN_LIMITS, Source.REMOTE, List.of());
	}

	@Override
	public Mono<Decision> acquire(Collection<RuleCharge> charges) {
		throw new AssertionError("without a wait");
	}

	@Override
	public Decision acquireBlocking(Collection<RuleCharge> charges) {
		throw new AssertionError("without a wait");
	}

	@Override
	public Mono<Decision> acquire(String ruleId, String subject, long cost, Duration maxWait) {
		return Mono.fromCallable(() -> decide(ruleId + " " + subject + " " + cost + " " + maxWait));
	}

	@Override
	public Decision acquireBlocking(String ruleId, String subject, long cost, Duration maxWait) {
		return decide(ruleId + " " + subject + " " + cost + " " + maxWait);
	}

	@Override
	public Mono<Void> pause(String ruleId, String subject, Duration pause) {
		return Mono.fromRunnable(() -> this.calls.add("pause " + ruleId + " " + subject + " " + pause));
	}

}
