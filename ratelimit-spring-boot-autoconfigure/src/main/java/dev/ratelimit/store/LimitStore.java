package dev.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Stores buckets and charges them atomically. Thread-safe.
 * <p>
 * A store of the application's own is a bean of this type. A guard stands before it: what
 * it does not answer within the deadline, what it throws, and what its futures fail with
 * is answered by the rules' failure policies, and a store that fails is not called again
 * until a peek at it succeeds. No method may block: a guard cannot end a call that holds
 * its thread.
 * <p>
 * A demand is all or nothing: if one charge refuses, no bucket changes and no replay
 * marker is left. What a bucket that was never charged would say needs no memory: neither
 * a peek nor a refusal creates anything.
 * <p>
 * Experimental: may change in any release.
 *
 * @since 0.1.0
 */
public interface LimitStore {

	/**
	 * The store's name in metrics and for operators, such as {@code redis}.
	 * @return the name
	 */
	String name();

	/**
	 * Answer a demand.
	 * @param demand the demand
	 * @return the answer, or a {@link StoreException}
	 */
	CompletableFuture<AcquireResult> acquire(AcquireRequest demand);

	/**
	 * Take back all that an answer of this store says was taken, because nobody goes by
	 * that answer, or because what is left of it is refunded. A store that remembers
	 * replay markers takes back these as well.
	 * @param answer the answer
	 * @return completed when done, or a {@link StoreException}
	 */
	default CompletableFuture<Void> release(AcquireResult answer) {
		List<Settlement> refunds = answer.refunds();
		return (refunds.isEmpty()) ? CompletableFuture.completedFuture(null) : settle(refunds);
	}

	/**
	 * Correct charges that were taken. What has been forgotten since is not given back,
	 * and nothing is created by giving back.
	 * @param settlements the corrections, all on buckets of one demand
	 * @return completed when done, or a {@link StoreException}
	 */
	CompletableFuture<Void> settle(List<Settlement> settlements);

	/**
	 * Take back what is left of a loan. What comes too late is not taken back.
	 * @param loan what is left
	 * @return how many units were taken back, or a {@link StoreException}
	 */
	default CompletableFuture<Long> giveBack(LeaseReturn loan) {
		return settle(List.of(new Settlement(loan.bucket(), loan.takenAtMillis(), -loan.units())))
			.thenApply((done) -> loan.units());
	}

	/**
	 * Start buckets afresh.
	 * @param buckets the buckets
	 * @return completed when done, or a {@link StoreException}
	 */
	CompletableFuture<Void> reset(List<Bucket> buckets);

}
