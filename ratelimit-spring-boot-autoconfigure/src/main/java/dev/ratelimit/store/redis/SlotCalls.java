package dev.ratelimit.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demand;
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
		return this.executor.run(this.encoder.encode(demand, this.clock.getAsLong()))
			.thenApply((numbers) -> new Reply(demand, numbers).answer());
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
		return this.executor.run(this.encoder.encode(part, this.clock.getAsLong()))
			.thenApply((numbers) -> new Reply(part, numbers));
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
