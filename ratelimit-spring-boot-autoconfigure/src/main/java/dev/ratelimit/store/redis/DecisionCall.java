package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.StoreException;

/**
 * A request on its way to a server.
 */
final class DecisionCall extends TimedCall<AcquireResult> {

	private final RedisLuaExecutor executor;

	private final RequestEncoder encoder;

	private final AcquireRequest request;

	private final RedisNodes nodes;

	private final ServerClock server;

	private final RuleFailures failures;

	DecisionCall(RedisLuaExecutor executor, RequestEncoder encoder, AcquireRequest request, RedisNodes nodes,
			ServerClock server, RuleFailures failures) {
		super(server, request.deadlineNanos());
		this.executor = executor;
		this.encoder = encoder;
		this.request = request;
		this.nodes = nodes;
		this.server = server;
		this.failures = failures;
	}

	DecisionCall send() {
		start();
		return this;
	}

	@Override
	CompletableFuture<long[]> run() {
		long chargeDeadlineMillis = this.server.latestMillisAt(this.request.deadlineNanos());
		return this.executor
			.run(this.encoder.encode(this.request, this.nodes.nowMillis(this.server), chargeDeadlineMillis));
	}

	@Override
	AcquireResult result(Reply reply) {
		return reply.result(this.request);
	}

	@Override
	void failed(Throwable failure) {
		StoreException rejection = StoreException.of(failure);
		if (rejection.kind().isPermanent()) {
			this.failures.requestFailed(this.request, rejection);
		}
	}

}
