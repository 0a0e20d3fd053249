package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;

/**
 * A request on its way to a server. The script is told until when it may charge, by the
 * server's clock: what a server that has stalled runs after its caller has given up takes
 * nothing.
 */
final class DecisionCall extends CompletableFuture<AcquireResult> {

	private final RedisLuaExecutor executor;

	private final RequestEncoder encoder;

	private final AcquireRequest request;

	private final ServerClock server;

	private final RuleFailures failures;

	private long sentNanos;

	private boolean again;

	DecisionCall(RedisLuaExecutor executor, RequestEncoder encoder, AcquireRequest request, ServerClock server,
			RuleFailures failures) {
		this.executor = executor;
		this.encoder = encoder;
		this.request = request;
		this.server = server;
		this.failures = failures;
	}

	DecisionCall send(long nowMillis) {
		this.sentNanos = this.server.nanos();
		long chargeDeadlineMillis = this.server.latestMillisAt(this.request.deadlineNanos());
		this.executor.run(this.encoder.encode(this.request, nowMillis, chargeDeadlineMillis))
			.whenComplete(this::responded);
		return this;
	}

	private void responded(long[] numbers, Throwable failure) {
		if (failure != null) {
			note(StoreException.of(failure));
			completeExceptionally(failure);
			return;
		}
		Reply reply = new Reply(numbers);
		if (reply.tooLate()) {
			tooLate(reply.atMillis());
			return;
		}
		if (inTime()) {
			this.server.saw(reply.atMillis(), this.sentNanos);
		}
		complete(reply.result(this.request));
	}

	private void note(StoreException failure) {
		if (failure.kind().isPermanent()) {
			this.failures.requestFailed(this.request, failure);
		}
	}

	// A response in time from a script that ran too late: the server's clock was set. It
	// has charged nothing, so it may be called again.
	private void tooLate(long serverMillis) {
		if (this.again || !inTime()) {
			completeExceptionally(StoreException.uncharged(Kind.TIMEOUT, "the script ran after the deadline", null));
			return;
		}
		this.again = true;
		this.server.reset(serverMillis, this.sentNanos);
		send(this.server.nowMillis());
	}

	private boolean inTime() {
		return this.server.nanos() - this.request.deadlineNanos() < 0;
	}

}
