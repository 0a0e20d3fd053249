package dev.ratelimit.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Reason;
import dev.ratelimit.RuleCharge;
import dev.ratelimit.Source;
import reactor.core.publisher.Mono;

/**
 * A limiter that records its calls and returns configured results.
 */
final class RecordedLimiter implements RateLimiter {

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final Queue<Boolean> next = new ArrayDeque<>();

	List<String> calls() {
		return this.calls;
	}

	void rejectNext() {
		this.next.add(false);
	}

	private Decision decide(String call) {
		this.calls.add(call);
		boolean allowed = this.next.isEmpty() || this.next.remove();
		return new Decision(allowed, (allowed) ? Reason.WITHIN_LIMITS : Reason.LIMIT_EXCEEDED, Source.REMOTE,
				List.of());
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
