package dev.ratelimit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;

/**
 * Passes decisions on from the threads of a store to Reactor's parallel ones, where
 * subscribers' code runs. A thread that is woken for one decision takes all that are
 * there: to wake it for each would cost more than to decide. Thread-safe.
 */
final class HandOver {

	/** So many decisions in a row take the same lane, since they come in batches. */
	private static final int BATCH_BITS = 4;

	private final HandOverLane[] lanes = IntStream.range(0, Schedulers.DEFAULT_POOL_SIZE)
		.mapToObj((number) -> new HandOverLane())
		.toArray(HandOverLane[]::new);

	private final AtomicInteger count = new AtomicInteger();

	/**
	 * A decision for a subscriber.
	 * @param decision the decision, there or not
	 * @return the decision; what it charges is refunded where nobody gets it
	 */
	Mono<Decision> mono(CompletableFuture<Decision> decision) {
		return Mono.fromDirect((subscriber) -> subscriber
			.onSubscribe(new HandedDecision(decision, Operators.toCoreSubscriber(subscriber), this::pass)));
	}

	private void pass(HandOverLane.Task decision) {
		int batch = this.count.getAndIncrement() >>> BATCH_BITS;
		this.lanes[batch % this.lanes.length].add(decision);
	}

}
