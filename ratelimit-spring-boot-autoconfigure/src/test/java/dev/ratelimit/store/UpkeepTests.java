package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.test.StartedThreads;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests work that is repeated at intervals.
 */
@ExtendWith(OutputCaptureExtension.class)
class UpkeepTests {

	private static final Duration SOON = Duration.ofMillis(2);

	private final StartedThreads timers = new StartedThreads("ratelimit-timer");

	private final List<Thread> workers = new CopyOnWriteArrayList<>();

	private final Upkeep upkeep = new Upkeep((task) -> {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		this.workers.add(thread);
		return thread;
	});

	@Test
	void aThreadThatCannotBeStartedEndsNoTask() throws Exception {
		AtomicInteger refused = new AtomicInteger(2);
		CountDownLatch rounds = new CountDownLatch(2);
		try (Upkeep crowded = new Upkeep((task) -> new Thread(task) {

			@Override
			public void start() {
				if (refused.getAndDecrement() > 0) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				super.start();
			}

		})) {
			crowded.start(Duration.ZERO, Duration.ofMillis(1), "failed", rounds::countDown);
			assertThat(rounds.await(30, TimeUnit.SECONDS)).isTrue();
			assertThat(refused).hasValueLessThan(0);
		}
	}

	private final AtomicInteger rounds = new AtomicInteger();

	private final CountDownLatch over = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.over.countDown();
		this.upkeep.close();
	}

	private Upkeep.Task start(Runnable round) {
		return this.upkeep.start(Duration.ZERO, SOON, "A round failed", round);
	}

	private void awaitRounds(int more) {
		int until = this.rounds.get() + more;
		Awaitility.await().until(() -> this.rounds.get() >= until);
	}

	@Test
	void nothingStartsBeforeThereIsATask() {
		assertThat(this.workers).isEmpty();
		assertThat(this.timers.get()).isEmpty();
	}

	@Test
	void roundsGoOnAfterAPause() {
		start(this.rounds::incrementAndGet);
		awaitRounds(3);
	}

	@Test
	void workMayBeDoneOnce() throws InterruptedException {
		this.upkeep.once(SOON, "The work failed", this.rounds::incrementAndGet);
		awaitRounds(1);
		TimeUnit.MILLISECONDS.sleep(50);
		assertThat(this.rounds).hasValue(1);
	}

	@Test
	void theFirstRoundMayWait() throws InterruptedException {
		this.upkeep.start(Duration.ofHours(1), SOON, "A round failed", this.rounds::incrementAndGet);
		TimeUnit.MILLISECONDS.sleep(50);
		assertThat(this.rounds).hasValue(0);
	}

	@Test
	void roundThatThrowsDoesNotEndItsTask(CapturedOutput output) {
		start(() -> {
			int round = this.rounds.incrementAndGet();
			if (round % 2 == 0) {
				throw new IllegalStateException("on purpose");
			}
			throw new NoClassDefFoundError("on purpose");
		});
		awaitRounds(5);
		assertThat(output).contains("ERROR", "A round failed", "IllegalStateException", "NoClassDefFoundError");
	}

	@Test
	void aFailureIsLoggedOnceUntilARoundSucceeds(CapturedOutput output) {
		start(() -> {
			if (this.rounds.incrementAndGet() != 5) {
				throw new IllegalStateException("on purpose");
			}
		});
		awaitRounds(10);
		assertThat(output.toString().lines().filter((line) -> line.contains("A round failed"))).hasSize(2);
	}

	@Test
	void roundsOfATaskDoNotOverlap() {
		AtomicInteger underWay = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		start(() -> {
			most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
			sleep(5);
			underWay.decrementAndGet();
			this.rounds.incrementAndGet();
		});
		awaitRounds(5);
		assertThat(most).hasValue(1);
	}

	@Test
	void tasksThatDoNotReturnLeaveTheOthersAThread() {
		for (int i = 1; i < Upkeep.MAX_THREADS; i++) {
			start(this::block);
		}
		start(this.rounds::incrementAndGet);
		start(this.rounds::incrementAndGet);
		awaitRounds(20);
	}

	@Test
	void aRoundThatFindsNoThreadWaitsForOne() {
		AtomicInteger blocked = new AtomicInteger();
		for (int i = 0; i < Upkeep.MAX_THREADS; i++) {
			start(() -> {
				blocked.incrementAndGet();
				block();
			});
		}
		Awaitility.await().until(() -> blocked.get() == Upkeep.MAX_THREADS);
		start(this.rounds::incrementAndGet);
		sleep(50);
		assertThat(this.rounds).hasValue(0);
		assertThat(this.workers).hasSize(Upkeep.MAX_THREADS);
		this.over.countDown();
		awaitRounds(3);
	}

	@Test
	void aClosedTaskIsInterruptedAndTheOthersGoOn() {
		AtomicInteger interrupted = new AtomicInteger();
		CountDownLatch begun = new CountDownLatch(1);
		Upkeep.Task task = start(() -> {
			begun.countDown();
			interrupted.addAndGet(block() ? 1 : 0);
		});
		start(this.rounds::incrementAndGet);
		Awaitility.await().until(() -> begun.getCount() == 0);
		task.close();
		Awaitility.await().until(() -> interrupted.get() == 1);
		awaitRounds(5);
		assertThat(interrupted).hasValue(1);
	}

	@Test
	void aTaskThatIsClosedBetweenRoundsStartsNoOther() {
		Upkeep.Task task = start(this.rounds::incrementAndGet);
		awaitRounds(2);
		task.close();
		sleep(10);
		int last = this.rounds.get();
		sleep(30);
		// A round that was running may have ended since.
		assertThat(this.rounds.get()).isBetween(last, last + 1);
	}

	@Test
	void closingEndsAllThreads() {
		start(this::block);
		start(this.rounds::incrementAndGet);
		awaitRounds(2);
		assertThat(this.workers).isNotEmpty();
		assertThat(this.timers.get()).isNotEmpty();
		this.upkeep.close();
		Awaitility.await().until(() -> this.timers.get().isEmpty() && this.workers.stream().noneMatch(Thread::isAlive));
		int all = this.workers.size();
		start(this.rounds::incrementAndGet);
		assertThat(this.workers).hasSize(all);
		assertThat(this.timers.get()).isEmpty();
	}

	@Test
	void allThreadsAreDaemons() {
		Queue<Thread> threads = new ConcurrentLinkedQueue<>();
		try (Upkeep real = new Upkeep()) {
			real.start(Duration.ZERO, SOON, "A round failed", () -> threads.add(Thread.currentThread()));
			Awaitility.await().until(() -> !threads.isEmpty());
			assertThat(this.timers.get()).isNotEmpty().allMatch(Thread::isDaemon);
		}
		assertThat(threads).allMatch(Thread::isDaemon);
	}

	// Return whether the thread was interrupted.
	private boolean block() {
		try {
			this.over.await();
			return false;
		}
		catch (InterruptedException ex) {
			return true;
		}
	}

	private static void sleep(long millis) {
		try {
			TimeUnit.MILLISECONDS.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
