package dev.ratelimit.engine;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Schedulers;
import reactor.util.concurrent.Queues;

/**
 * Passes decisions from the threads of a store to Reactor's parallel threads, which run
 * the code of subscribers. A thread that is woken for one decision processes all that are
 * available, because waking a thread takes longer than a decision. Thread-safe.
 */
final class HandOver {

	/**
	 * The number of consecutive decisions on the same lane (as a power of two), because
	 * decisions arrive in batches.
	 */
	private static final int BATCH_BITS = 4;

	private final HandOverLane[] lanes = IntStream.range(0, Schedulers.DEFAULT_POOL_SIZE)
		.mapToObj((number) -> new HandOverLane())
		.toArray(HandOverLane[]::new);

	private final AtomicInteger count = new AtomicInteger();

	/**
	 * Return a decision for each subscriber.
	 * @param decide makes the decision at subscription
	 * @return the decision; its charges are refunded if the subscriber cancels
	 */
	Mono<Decision> mono(Supplier<CompletableFuture<Decision>> decide) {
		return DecisionMono.of(decide, this::pass);
	}

	private void pass(HandOverLane.Task decision) {
		int batch = this.count.getAndIncrement() >>> BATCH_BITS;
		this.lanes[batch % this.lanes.length].add(decision);
	}

	/**
	 * Makes a decision for each subscriber.
	 */
	private static final class DecisionMono extends Mono<Decision> {

		private final Supplier<CompletableFuture<Decision>> decide;

		private final Consumer<HandOverLane.Task> threads;

		private DecisionMono(Supplier<CompletableFuture<Decision>> decide, Consumer<HandOverLane.Task> threads) {
			this.decide = decide;
			this.threads = threads;
		}

		static Mono<Decision> of(Supplier<CompletableFuture<Decision>> decide, Consumer<HandOverLane.Task> threads) {
			return onAssembly(new DecisionMono(decide, threads));
		}

		@Override
		public void subscribe(CoreSubscriber<? super Decision> subscriber) {
			CompletableFuture<Decision> decision;
			try {
				decision = this.decide.get();
			}
			catch (RuntimeException ex) {
				Operators.error(subscriber, ex);
				return;
			}
			subscriber.onSubscribe(new HandedDecision(decision, subscriber, this.threads));
		}

	}

	/**
	 * A decision for a subscriber. It is either handed over, or all its charges are
	 * refunded, because a subscriber that has canceled does not receive the reservation.
	 * A later decision arrives on a thread of the store, which only passes it on.
	 */
	private static final class HandedDecision extends AtomicInteger implements Subscription, HandOverLane.Task {

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

	/**
	 * Hands over decisions to subscribers one after the other, on one thread at a time.
	 * Any thread may add a decision.
	 */
	private static final class HandOverLane implements Runnable {

		private static final Log logger = LogFactory.getLog(HandOverLane.class);

		/** The maximum number of decisions before the thread runs other tasks. */
		private static final int MAX_IN_A_ROW = 256;

		private final Queue<Task> ready = Queues.<Task>unboundedMultiproducer().get();

		private final AtomicInteger waiting = new AtomicInteger();

		void add(Task task) {
			this.ready.add(task);
			if (this.waiting.getAndIncrement() == 0) {
				schedule();
			}
		}

		private void schedule() {
			try {
				Schedulers.parallel().schedule(this);
			}
			catch (RejectedExecutionException ex) {
				drain(Integer.MAX_VALUE, (task) -> task.reject(ex));
			}
		}

		@Override
		public void run() {
			drain(MAX_IN_A_ROW, Task::handOver);
		}

		// Tasks are added before they are counted, so the queue contains at least this
		// number.
		private void drain(int most, Consumer<Task> how) {
			int left = most;
			int present = this.waiting.get();
			while (present > 0 && left > 0) {
				int batch = Math.min(present, left);
				for (int i = 0; i < batch; i++) {
					end(this.ready.remove(), how);
				}
				left -= batch;
				present = this.waiting.addAndGet(-batch);
			}
			if (present > 0) {
				schedule();
			}
		}

		// A subscriber that throws must not prevent the decisions of others.
		private static void end(Task task, Consumer<Task> how) {
			try {
				how.accept(task);
			}
			catch (RuntimeException | Error ex) {
				logger.error("A subscriber of a decision failed", ex);
			}
		}

		/**
		 * A decision for a subscriber.
		 */
		interface Task {

			/**
			 * Hand over the decision to its subscriber.
			 */
			void handOver();

			/**
			 * Refund the decision, because no thread can hand it over.
			 * @param failure the reason
			 */
			void reject(RejectedExecutionException failure);

		}

	}

}
