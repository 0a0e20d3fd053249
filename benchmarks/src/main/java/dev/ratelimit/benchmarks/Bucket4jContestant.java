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
 * The peer bucket4j on Lettuce. Applications that use bucket4j build a proxy for each
 * call, so this contestant also does.
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
	 * Return the number of commands that the client sent. It sends GETs, and EVALs of two
	 * scripts. The script that compares and swaps runs exactly one GET, and the script
	 * that inserts runs exactly one SET. Redis also counts these commands, so the number
	 * of GETs and SETs is the number of GETs and EVALs that the client sent.
	 */
	@Override
	public long calls(CommandCounts counts) {
		return counts.of("get") + counts.of("set");
	}

}
