package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.JointKey;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;

/**
 * Runs the scripts that change buckets without a decision: refunds, debts, returned
 * leases, resets. Thread-safe.
 */
final class RedisCorrections {

	private final RedisLuaExecutor executor;

	private final ScriptCalls calls;

	private final RequestEncoder encoder;

	private final RedisNodes nodes;

	RedisCorrections(RedisConnector connector, ScriptCalls calls, RequestEncoder encoder, RedisNodes nodes) {
		this.executor = new RedisLuaExecutor(connector::connection);
		this.calls = calls;
		this.encoder = encoder;
		this.nodes = nodes;
	}

	CompletableFuture<Void> release(AcquireResult result) {
		return done(this.encoder.undo(result, this.nodes.nowMillis(result.charge(0).bucket())));
	}

	CompletableFuture<Void> settle(List<Settlement> settlements) {
		return done(this.encoder.encode(settlements, this.nodes.nowMillis(settlements.get(0).bucket())));
	}

	CompletableFuture<Settlement> charge(LateCharge late) {
		ServerClock server = this.nodes.clock(this.nodes.of(late.bucket()));
		return new LateChargeCall(this.calls, this.encoder, late, this.nodes, server).send();
	}

	CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.calls.run(this.encoder.encode(unspent, this.nodes.nowMillis(unspent.bucket())))
			.thenApply((reply) -> reply[1]);
	}

	CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.calls.run(this.encoder.renew(held, this.nodes.nowMillis(held.keySet().iterator().next())))
			.thenApply((reply) -> SlotRenewal.done((int) reply[1]));
	}

	CompletableFuture<Void> reset(List<Bucket> buckets) {
		// A rule without limits has no buckets, and DEL requires a key.
		if (buckets.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		Resets resets = Resets.of(buckets);
		if (resets.parts().isEmpty()) {
			return delete(resets.whole());
		}
		CompletableFuture<Void> parts = done(
				this.encoder.reset(resets.parts(), this.nodes.nowMillis(resets.parts().get(0))));
		return (resets.whole().isEmpty()) ? parts : parts.thenCombine(delete(resets.whole()), (reset, deleted) -> null);
	}

	private CompletableFuture<Void> done(ScriptCall call) {
		return this.calls.run(call).thenApply((reply) -> null);
	}

	private CompletableFuture<Void> delete(List<Bucket> buckets) {
		return this.executor.delete(buckets.stream().map(this.encoder::key).toArray(byte[][]::new));
	}

	/**
	 * A charge for a request that was allowed without the server, as of the time of the
	 * decision. That time is estimated by the server's clock and never too late, so that
	 * a client is not rejected for longer than its limit allows. Until the clock is
	 * known, and after the deadline, the script charges nothing.
	 */
	private static final class LateChargeCall extends TimedCall<Settlement> {

		/**
		 * A time before the time of any server, so that the script only returns its time.
		 */
		private static final long NOT_YET = -1;

		private final ScriptCalls calls;

		private final RequestEncoder encoder;

		private final LateCharge late;

		private final RedisNodes nodes;

		private final ServerClock server;

		private Settlement charge;

		LateChargeCall(ScriptCalls calls, RequestEncoder encoder, LateCharge late, RedisNodes nodes,
				ServerClock server) {
			super(server, late.deadlineNanos());
			this.calls = calls;
			this.encoder = encoder;
			this.late = late;
			this.nodes = nodes;
			this.server = server;
			this.charge = late.correction();
		}

		LateChargeCall send() {
			start();
			return this;
		}

		@Override
		CompletableFuture<long[]> run() {
			this.charge = new Settlement(this.late.bucket(),
					this.nodes.earliestMillisAt(this.server, this.late.takenNanos()), this.late.correction().units());
			long deadlineMillis = (this.server.isKnown()) ? this.server.latestMillisAt(this.late.deadlineNanos())
					: NOT_YET;
			return this.calls.run(this.encoder.charge(this.charge, this.nodes.nowMillis(this.server), deadlineMillis),
					this.late.deadlineNanos());
		}

		@Override
		Settlement result(Reply reply) {
			return this.charge;
		}

	}

	/**
	 * Buckets to reset.
	 *
	 * @param whole one bucket of each key that can be deleted
	 * @param parts the buckets in keys that keep other buckets
	 */
	private record Resets(List<Bucket> whole, List<Bucket> parts) {

		static Resets of(List<Bucket> buckets) {
			Set<Bucket> all = new LinkedHashSet<>(buckets);
			List<Bucket> whole = new ArrayList<>();
			List<Bucket> parts = new ArrayList<>();
			for (Bucket bucket : all) {
				Optional<JointKey> joint = bucket.family().joint();
				if (joint.isEmpty()) {
					whole.add(bucket);
				}
				else if (all.stream().filter((other) -> together(other, bucket)).count() < joint.get()
					.members()
					.size()) {
					parts.add(bucket);
				}
				else if (joint.get().indexOf(bucket.family().label()) == 0) {
					whole.add(bucket);
				}
			}
			return new Resets(whole, parts);
		}

		private static boolean together(Bucket one, Bucket other) {
			return one.subject().equals(other.subject()) && one.family().joint().equals(other.family().joint());
		}

	}

}
