package dev.ratelimit.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.FormerLimit;
import dev.ratelimit.store.Settlement;

/**
 * Each question in one call: all keys lie in one slot, or there is one server. Nothing
 * blocks.
 */
final class SlotCalls implements RedisCalls {

	private final RedisLuaExecutor executor;

	private final DemandEncoder encoder;

	private final LongSupplier clock;

	SlotCalls(RedisLuaExecutor executor, DemandEncoder encoder, LongSupplier clock) {
		this.executor = executor;
		this.encoder = encoder;
		this.clock = clock;
	}

	@Override
	public CompletableFuture<Answer> acquire(Demand demand) {
		return ask(demand).thenApply(Reply::answer);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.executor.run(this.encoder.encode(settlements, this.clock.getAsLong())).thenApply((reply) -> null);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.executor.delete(buckets.stream().map(this.encoder::key).toArray(byte[][]::new));
	}

	/**
	 * Answer a part of a demand.
	 * @param part the part
	 * @return the reply
	 */
	CompletableFuture<Reply> ask(Demand part) {
		long nowMillis = this.clock.getAsLong();
		for (Charge charge : part.charges()) {
			if (charge.bucket().family().former().isPresent()) {
				move(charge.bucket(), charge.bucket().family().former().get(), nowMillis);
			}
		}
		return this.executor.run(this.encoder.encode(part, nowMillis)).thenApply((numbers) -> new Reply(part, numbers));
	}

	// Goes ahead of the decision on the same connection; if it fails, so will the
	// decision.
	private void move(Bucket bucket, FormerLimit former, long nowMillis) {
		if (former.matters(System.nanoTime())) {
			this.executor.runText(this.encoder.move(bucket, former.family(), nowMillis));
		}
	}

	/**
	 * Give back what was taken, and take back the marker or the replay.
	 * @param reply what was taken
	 * @return completed when done
	 */
	CompletableFuture<Void> undo(Reply reply) {
		return this.executor.run(this.encoder.undo(reply, this.clock.getAsLong())).thenApply((done) -> null);
	}

}
