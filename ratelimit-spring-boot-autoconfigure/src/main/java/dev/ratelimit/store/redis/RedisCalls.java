package dev.ratelimit.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.Settlement;

/**
 * How the store's questions become calls.
 */
interface RedisCalls {

	CompletableFuture<Answer> acquire(Demand demand);

	CompletableFuture<Void> settle(List<Settlement> settlements);

	CompletableFuture<Void> reset(List<Bucket> buckets);

}
