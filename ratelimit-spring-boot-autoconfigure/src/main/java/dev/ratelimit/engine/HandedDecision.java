package dev.ratelimit.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.Decision;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Schedulers;

/**
 * A decision on its way to a subscriber: it is either handed over, or everything it
 * charged is refunded, because a subscriber that has cancelled never gets the
 * reservation. A decision that is not there yet comes on a thread of the store, which
 * only passes it on.
 */
final class HandedDecision extends AtomicInteger implements Subscription {

	private static final long serialVersionUID = 1L;

	private static final int WAITING = 0;

	private static final int REQUESTED = 1;

	private static final int DONE = 2;

	private final transient CompletableFuture<Decision> decision;

	private final transient CoreSubscriber<? super Decision> subscriber;

	HandedDecision(CompletableFuture<Decision> decision, CoreSubscriber<? super Decision> subscriber) {
		this.decision = decision;
		this.subscriber = subscriber;
	}

	@Override
	public void request(long count) {
		if (compareAndSet(WAITING, REQUESTED)) {
			if (this.decision.isDone()) {
				this.decision.whenComplete(this::handOver);
			}
			else {
				this.decision.whenComplete(this::passOn);
			}
		}
	}

	private void passOn(@Nullable Decision decided, @Nullable Throwable failure) {
		try {
			Schedulers.parallel().schedule(() -> handOver(decided, failure));
		}
		catch (RejectedExecutionException ex) {
			if (compareAndSet(REQUESTED, DONE)) {
				giveBack();
				this.subscriber.onError(ex);
			}
		}
	}

	private void handOver(@Nullable Decision decided, @Nullable Throwable failure) {
		if (!compareAndSet(REQUESTED, DONE)) {
			return;
		}
		if (decided != null) {
			this.subscriber.onNext(decided);
			this.subscriber.onComplete();
		}
		else if (failure != null) {
			this.subscriber.onError(failure);
		}
	}

	@Override
	public void cancel() {
		if (getAndSet(DONE) != DONE) {
			giveBack();
		}
	}

	private void giveBack() {
		this.decision.thenAccept((unseen) -> unseen.reservation().cancel());
	}

}
