package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;

/**
 * Has the servers change buckets without a decision: refunds, debts, returned leases,
 * resets. Thread-safe.
 */
final class RedisCorrections {

	private final RedisLuaExecutor executor;

	private final RequestEncoder encoder;

	private final RedisNodes nodes;

	RedisCorrections(RedisConnector connector, RequestEncoder encoder, RedisNodes nodes) {
		this.executor = new RedisLuaExecutor(connector::connection);
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
		return new LateChargeCall(this.executor, this.encoder, late, this.nodes, server).send();
	}

	CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		return this.executor.run(this.encoder.encode(unspent, this.nodes.nowMillis(unspent.bucket())))
			.thenApply((reply) -> reply[1]);
	}

	CompletableFuture<Integer> renew(Map<Bucket, Long> held) {
		return this.executor.run(this.encoder.renew(held, this.nodes.nowMillis(held.keySet().iterator().next())))
			.thenApply((reply) -> (int) reply[1]);
	}

	CompletableFuture<Void> reset(List<Bucket> buckets) {
		Resets resets = Resets.of(buckets);
		if (resets.parts().isEmpty()) {
			return delete(resets.whole());
		}
		CompletableFuture<Void> parts = done(
				this.encoder.reset(resets.parts(), this.nodes.nowMillis(resets.parts().get(0))));
		return (resets.whole().isEmpty()) ? parts : parts.thenCombine(delete(resets.whole()), (reset, deleted) -> null);
	}

	private CompletableFuture<Void> done(ScriptCall call) {
		return this.executor.run(call).thenApply((reply) -> null);
	}

	private CompletableFuture<Void> delete(List<Bucket> buckets) {
		return this.executor.delete(buckets.stream().map(this.encoder::key).toArray(byte[][]::new));
	}

}
