package dev.ratelimit.benchmarks;

import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Sends requests at random times, at a fixed average rate, regardless of the responses to
 * earlier requests. The latency of a request begins at the time at which it is due.
 */
final class OpenCaller implements Runnable {

	private final Contestant contestant;

	private final Supplier<Phase> phase;

	private final String[] keys;

	private final double nanosBetween;

	private final SplittableRandom random = new SplittableRandom();

	private final Tally tally = new Tally();

	private final CompletableFuture<Tally> finished = new CompletableFuture<>();

	OpenCaller(Contestant contestant, Supplier<Phase> phase, String[] keys, int perSecond) {
		this.contestant = contestant;
		this.phase = phase;
		this.keys = keys;
		this.nanosBetween = (double) TimeUnit.SECONDS.toNanos(1) / perSecond;
	}

	CompletableFuture<Tally> finished() {
		return this.finished;
	}

	@Override
	public void run() {
		double dueNanos = System.nanoTime();
		while (this.phase.get() != Phase.STOPPED && !this.finished.isDone()) {
			dueNanos -= Math.log(1 - this.random.nextDouble()) * this.nanosBetween;
			long due = (long) dueNanos;
			for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
			String key = this.keys[this.random.nextInt(this.keys.length)];
			try {
				this.contestant.decide(key).whenComplete((allowed, failure) -> answered(due, allowed, failure));
			}
			catch (RuntimeException ex) {
				this.finished.completeExceptionally(ex);
			}
		}
		synchronized (this.tally) {
			this.finished.complete(this.tally);
		}
	}

	private void answered(long dueNanos, @Nullable Boolean allowed, @Nullable Throwable failure) {
		if (failure != null) {
			this.finished.completeExceptionally(failure);
		}
		else if (!Boolean.TRUE.equals(allowed)) {
			this.finished.completeExceptionally(new IllegalStateException("Denied: raise the limit"));
		}
		else {
			synchronized (this.tally) {
				if (!this.finished.isDone()) {
					this.tally.answered(System.nanoTime() - dueNanos, this.phase.get());
				}
			}
		}
	}

}
