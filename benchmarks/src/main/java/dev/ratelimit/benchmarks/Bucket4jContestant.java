package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;

/**
 * The peer bucket4j, its proxy built per call as its users do.
 */
final class Bucket4jContestant extends LettuceContestant<byte[]> {

	private static final Duration KEPT_AFTER_REFILL = Duration.ofSeconds(10);

	private final AsyncProxyManager<String> buckets;

	private final CompletableFuture<BucketConfiguration> configuration;

	Bucket4jContestant(Setup setup) {
		super(setup.redis(), RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
		this.buckets = Bucket4jLettuce.casBasedBuilder(connection())
			.expirationAfterWrite(ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(KEPT_AFTER_REFILL))
			.build()
			.asAsync();
		Limit limit = setup.limit();
		this.configuration = CompletableFuture.completedFuture(BucketConfiguration.builder()
			.addLimit(
					(bandwidth) -> bandwidth.capacity(limit.capacity()).refillGreedy(limit.capacity(), limit.period()))
			.build());
	}

	@Override
	public CompletionStage<Boolean> decide(String key) {
		return this.buckets.builder()
			.build(key, () -> this.configuration)
			.tryConsumeAndReturnRemaining(1)
			.thenApply(ConsumptionProbe::isConsumed);
	}

	/**
	 * It sends GETs, and EVALs of two scripts: one to compare and swap, which runs
	 * exactly one GET, and one to insert, which runs exactly one SET. So there are as
	 * many EVALs as GETs and SETs run in a script, and GET + SET counts each command sent
	 * once.
	 */
	@Override
	public long calls(CommandCounts counts) {
		return counts.of("get") + counts.of("set");
	}

}
