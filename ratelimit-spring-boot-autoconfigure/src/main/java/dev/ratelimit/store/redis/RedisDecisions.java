package dev.ratelimit.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.FormerLimit;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Time;

/**
 * Runs the script that decides a request, after the usage of changed limits was moved.
 * Thread-safe.
 */
final class RedisDecisions {

	private final ScriptCalls calls;

	private final RequestEncoder encoder;

	private final RedisNodes nodes;

	private final Time time;

	private final RuleFailures failures;

	RedisDecisions(ScriptCalls calls, RequestEncoder encoder, RedisNodes nodes, Time time, RuleFailures failures) {
		this.calls = calls;
		this.encoder = encoder;
		this.nodes = nodes;
		this.time = time;
		this.failures = failures;
	}

	CompletableFuture<AcquireResult> decide(AcquireRequest request) {
		return decide(this.calls, request);
	}

	/**
	 * Decide a request with other script calls.
	 * @param calls the calls that run the scripts
	 * @param request the request
	 * @return the result
	 */
	CompletableFuture<AcquireResult> decide(ScriptCalls calls, AcquireRequest request) {
		ServerClock server = this.nodes.clock(this.nodes.of(request.charges().get(0).bucket()));
		for (Charge charge : request.charges()) {
			if (!charge.bucket().family().formers().isEmpty()) {
				move(calls, charge.bucket(), this.nodes.nowMillis(server));
			}
		}
		return new DecisionCall(calls, this.encoder, request, this.nodes, server, this.failures).send();
	}

	/**
	 * Move the usage under former limits before a correction charges a bucket, because
	 * usage is not moved to a bucket that exists already.
	 * @param bucket the bucket
	 */
	void moveFormer(Bucket bucket) {
		if (!bucket.family().formers().isEmpty()) {
			move(this.calls, bucket, this.nodes.nowMillis(bucket));
		}
	}

	// Move the usage once for each subject. This call precedes the decision on the same
	// connection, so that the decision fails too if this call fails.
	private void move(ScriptCalls calls, Bucket bucket, long nowMillis) {
		MovedSubjects moved = this.encoder.moved(bucket.family());
		if (moved.contains(bucket.subject())) {
			return;
		}
		long nowNanos = this.time.nanos();
		List<BucketFamily> formers = bucket.family()
			.formers()
			.stream()
			.filter((former) -> former.matters(nowNanos))
			.map(FormerLimit::family)
			.toList();
		if (formers.isEmpty()) {
			moved.all();
			return;
		}
		calls.runText(this.encoder.move(bucket, formers, nowMillis)).whenComplete((reply, failure) -> {
			if (failure == null || StoreException.of(failure).kind().isPermanent()) {
				moved.add(bucket.subject());
			}
		});
	}

	/**
	 * The script call that decides a request.
	 */
	private static final class DecisionCall extends TimedCall<AcquireResult> {

		private final ScriptCalls calls;

		private final RequestEncoder encoder;

		private final AcquireRequest request;

		private final RedisNodes nodes;

		private final ServerClock server;

		private final RuleFailures failures;

		DecisionCall(ScriptCalls calls, RequestEncoder encoder, AcquireRequest request, RedisNodes nodes,
				ServerClock server, RuleFailures failures) {
			super(server, request.deadlineNanos());
			this.calls = calls;
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
			return this.calls.run(
					this.encoder.encode(this.request, this.nodes.nowMillis(this.server), chargeDeadlineMillis),
					this.request.deadlineNanos());
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

}
