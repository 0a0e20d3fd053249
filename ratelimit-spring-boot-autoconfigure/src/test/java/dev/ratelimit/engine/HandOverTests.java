package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import dev.ratelimit.Reason;
import dev.ratelimit.Source;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that delayed decisions reach their subscribers on the parallel threads of
 * Reactor, each exactly once, regardless of other subscribers.
 */
class HandOverTests {

	private static final Decision DECISION = new Decision(true, Reason.WITHIN_LIMITS, Source.REMOTE, List.of());

	private final HandOver threads = new HandOver();

	@Test
	void decisionsOfManyThreadsReachEverySubscriberOnce() throws InterruptedException {
		int each = 20_000;
		Queue<String> names = new ConcurrentLinkedQueue<>();
		CountDownLatch left = new CountDownLatch(4 * each);
		List<Thread> stores = IntStream.range(0, 4).mapToObj((store) -> new Thread(() -> {
			for (int i = 0; i < each; i++) {
				decided(() -> {
					names.add(Thread.currentThread().getName());
					left.countDown();
				});
			}
		})).toList();
		stores.forEach(Thread::start);
		assertThat(left.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(names).hasSize(4 * each).allMatch((name) -> name.startsWith("parallel-"));
	}

	@Test
	void aSubscriberThatFailsKeepsNobodyFromADecision() throws InterruptedException {
		CountDownLatch left = new CountDownLatch(40);
		for (int i = 0; i < 40; i++) {
			decided(() -> {
				left.countDown();
				throw new IllegalStateException("on purpose");
			});
		}
		assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
	}

	// The number of lanes equals the number of threads.
	@Test
	void otherWorkOfTheThreadsGoesOnBetweenManyDecisions() throws InterruptedException {
		CountDownLatch released = new CountDownLatch(1);
		CountDownLatch left = new CountDownLatch(20_000);
		List<Long> leftThen = new ArrayList<>();
		for (int lane = 0; lane < Schedulers.DEFAULT_POOL_SIZE; lane++) {
			Schedulers.parallel().schedule(() -> awaitQuietly(released));
		}
		for (int i = 0; i < 20_000; i++) {
			decided(left::countDown);
		}
		CountDownLatch others = new CountDownLatch(Schedulers.DEFAULT_POOL_SIZE);
		for (int lane = 0; lane < Schedulers.DEFAULT_POOL_SIZE; lane++) {
			Schedulers.parallel().schedule(() -> {
				synchronized (leftThen) {
					leftThen.add(left.getCount());
				}
				others.countDown();
			});
		}
		released.countDown();
		assertThat(others.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(Collections.max(leftThen)).isGreaterThanOrEqualTo(20_000 - 256L * Schedulers.DEFAULT_POOL_SIZE);
		assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void decided(Runnable subscriber) {
		CompletableFuture<Decision> decision = new CompletableFuture<>();
		this.threads.mono(() -> decision).subscribe(new RawSubscriber(subscriber));
		decision.complete(DECISION);
	}

	/**
	 * A subscriber without operators, whose exceptions reach the calling thread.
	 */
	private record RawSubscriber(Runnable code) implements CoreSubscriber<Decision> {

		@Override
		public void onSubscribe(Subscription subscription) {
			subscription.request(1);
		}

		@Override
		public void onNext(Decision value) {
			this.code.run();
		}

		@Override
		public void onError(Throwable failure) {
		}

		@Override
		public void onComplete() {
		}

	}

}
