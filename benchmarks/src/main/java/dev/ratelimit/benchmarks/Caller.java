package dev.ratelimit.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * One closed loop: it requests the next decision when the previous one has completed, on
 * the thread that completed it.
 */
final class Caller {

	private final Contestant contestant;

	private final Supplier<Phase> phase;

	private final String[] keys;

	private final SplittableRandom random;

	private final Tally tally = new Tally();

	private final CompletableFuture<Tally> finished = new CompletableFuture<>();

	/**
	 * The number of decisions to request. The loop that is already running requests them.
	 */
	private final AtomicInteger due = new AtomicInteger();

	private long startedAt;

	Caller(Contestant contestant, Supplier<Phase> phase, String[] keys, long seed) {
		this.contestant = contestant;
		this.phase = phase;
		this.keys = keys;
		this.random = new SplittableRandom(seed);
	}

	CompletableFuture<Tally> finished() {
		return this.finished;
	}

	/**
	 * Request the next decision. Never recurses, even if many decisions in a row complete
	 * immediately.
	 */
	void next() {
		if (this.due.getAndIncrement() != 0) {
			return;
		}
		do {
			ask();
		}
		while (this.due.decrementAndGet() != 0);
	}

	private void ask() {
		if (this.phase.get() == Phase.STOPPED) {
			this.finished.complete(this.tally);
			return;
		}
		String key = this.keys[this.random.nextInt(this.keys.length)];
		this.startedAt = System.nanoTime();
		try {
			this.contestant.decide(key).whenComplete(this::answered);
		}
		catch (RuntimeException ex) {
			this.finished.completeExceptionally(ex);
		}
	}

	private void answered(@Nullable Boolean allowed, @Nullable Throwable failure) {
		long elapsed = System.nanoTime() - this.startedAt;
		if (failure != null) {
			this.finished.completeExceptionally(failure);
			return;
		}
		if (!Boolean.TRUE.equals(allowed)) {
			this.finished.completeExceptionally(new IllegalStateException("Denied: raise the limit"));
			return;
		}
		this.tally.answered(elapsed, this.phase.get());
		next();
	}

}
