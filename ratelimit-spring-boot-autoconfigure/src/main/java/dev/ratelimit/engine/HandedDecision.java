package dev.ratelimit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/**
 * A decision on its way to a subscriber: it is either handed over, or everything it
 * charged is refunded, because a subscriber that has cancelled never gets the
 * reservation. A decision that is not there yet comes on a thread of the store, which
 * only passes it on.
 */
final class HandedDecision extends AtomicInteger implements Subscription, HandOverLane.Task {

	private static final long serialVersionUID = 1L;

	private static final int WAITING = 0;

	private static final int REQUESTED = 1;

	private static final int DONE = 2;

	private final transient CompletableFuture<Decision> decision;

	private final transient CoreSubscriber<? super Decision> subscriber;

	private final transient Consumer<HandOverLane.Task> threads;

	HandedDecision(CompletableFuture<Decision> decision, CoreSubscriber<? super Decision> subscriber,
			Consumer<HandOverLane.Task> threads) {
		this.decision = decision;
		this.subscriber = subscriber;
		this.threads = threads;
	}

	@Override
	public void request(long count) {
		if (compareAndSet(WAITING, REQUESTED)) {
			if (this.decision.isDone()) {
				handOver();
			}
			else {
				this.decision.whenComplete((decided, failure) -> this.threads.accept(this));
			}
		}
	}

	@Override
	public void handOver() {
		if (!compareAndSet(REQUESTED, DONE)) {
			return;
		}
		if (this.decision.isCompletedExceptionally()) {
			this.subscriber.onError(failure());
		}
		else {
			this.subscriber.onNext(this.decision.join());
			this.subscriber.onComplete();
		}
	}

	private Throwable failure() {
		return this.decision.handle((none, failure) -> failure).join();
	}

	@Override
	public void reject(RejectedExecutionException failure) {
		if (compareAndSet(REQUESTED, DONE)) {
			refund();
			this.subscriber.onError(failure);
		}
	}

	@Override
	public void cancel() {
		if (getAndSet(DONE) != DONE) {
			refund();
		}
	}

	private void refund() {
		this.decision.thenAccept((unseen) -> unseen.reservation().cancel());
	}

}
