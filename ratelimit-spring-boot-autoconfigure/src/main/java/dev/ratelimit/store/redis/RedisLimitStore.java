package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.algorithm.Arithmetic;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreCheck;
import dev.ratelimit.store.StoreException;
import io.lettuce.core.RedisException;

import org.springframework.dao.DataAccessException;

/**
 * Counts in Redis: one script call a demand, on one server's clock for the whole fleet;
 * on a cluster, one call for each slot that the demand's keys lie in. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RedisLimitStore implements LimitStore, StoreCheck {

	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final BucketFamily NOBODYS = new BucketFamily(
			new Policy("self-test", "self-test", new Limit(Algorithms.DEFAULT, 1000, Duration.ofSeconds(1), 1000),
					OptionalLong.of(1), Policy.Unit.REQUESTS, true),
			Algorithms.find(Algorithms.DEFAULT).orElseThrow());

	private final RedisConnector connector;

	private final RedisCalls calls;

	/**
	 * A store that goes by the server's clock.
	 * @param connector the connection
	 * @param prefix what all keys start with, such as {@code rl:orders}; without braces
	 */
	public RedisLimitStore(RedisConnector connector, String prefix) {
		this(connector, prefix, HashTag.SUBJECT);
	}

	/**
	 * A store that goes by the server's clock.
	 * @param connector the connection
	 * @param prefix what all keys start with, such as {@code rl:orders}; without braces
	 * @param hashTag what keeps keys in one slot of a cluster
	 */
	public RedisLimitStore(RedisConnector connector, String prefix, HashTag hashTag) {
		this(connector, new RedisKeys(prefix, hashTag), LuaScript.Clock.REDIS,
				() -> System.currentTimeMillis() - TimeUnit.SECONDS.toMillis(Arithmetic.EPOCH_SECONDS));
	}

	RedisLimitStore(RedisConnector connector, String prefix, HashTag hashTag, LongSupplier clock) {
		this(connector, new RedisKeys(prefix, hashTag), LuaScript.Clock.CALLER, clock);
	}

	private RedisLimitStore(RedisConnector connector, RedisKeys keys, LuaScript.Clock whose, LongSupplier clock) {
		this.connector = connector;
		DemandEncoder encoder = new DemandEncoder(keys, whose);
		SlotCalls slot = new SlotCalls(new RedisLuaExecutor(connector), encoder, clock);
		this.calls = (connector.isCluster()) ? new ClusterCalls(slot, new SlotSplitter(keys, encoder::key)) : slot;
	}

	@Override
	public String name() {
		return "redis";
	}

	@Override
	public CompletableFuture<Answer> acquire(Demand demand) {
		return this.calls.acquire(demand);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		return this.calls.settle(settlements);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		return this.calls.reset(buckets);
	}

	@Override
	public void check() {
		Charge charge = new Charge(new Bucket(NOBODYS, "self-test"), 1, FailurePolicy.OPEN, false, false);
		try {
			this.connector.connect();
			acquire(new Demand(List.of(charge), Optional.empty(), System.nanoTime() + PATIENCE.toNanos()))
				.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new StoreException(StoreException.Kind.TIMEOUT, "interrupted", ex);
		}
		catch (TimeoutException ex) {
			throw new StoreException(StoreException.Kind.TIMEOUT, "no answer within " + PATIENCE.toMillis() + " ms",
					ex);
		}
		catch (ExecutionException | DataAccessException | RedisException ex) {
			throw RedisFailures.translate(ex);
		}
	}

}
