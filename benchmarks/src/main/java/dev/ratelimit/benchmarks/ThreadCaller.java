package dev.ratelimit.benchmarks;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One closed loop on its own thread, which waits for each decision. Only one of 64
 * decisions is timed, because reading the clock costs as much as a decision in memory.
 */
final class ThreadCaller implements Runnable {

	private static final int TIMED = 64;

	private final Contestant contestant;

	private final Supplier<Phase> phase;

	private final String[] keys;

	private final KeyPicker picker = new KeyPicker();

	private final Tally tally = new Tally();

	private final CompletableFuture<Tally> finished = new CompletableFuture<>();

	ThreadCaller(Contestant contestant, Supplier<Phase> phase, String[] keys) {
		this.contestant = contestant;
		this.phase = phase;
		this.keys = keys;
	}

	CompletableFuture<Tally> finished() {
		return this.finished;
	}

	@Override
	public void run() {
		try {
			Phase now = this.phase.get();
			for (int i = 0; now != Phase.STOPPED; i++) {
				if (i % TIMED == 0) {
					timed(now);
				}
				else {
					decide();
					this.tally.answered(now);
				}
				now = this.phase.get();
			}
			this.finished.complete(this.tally);
		}
		catch (RuntimeException ex) {
			this.finished.completeExceptionally(ex);
		}
	}

	private void timed(Phase now) {
		long startedAt = System.nanoTime();
		decide();
		this.tally.answered(System.nanoTime() - startedAt, now);
	}

	private void decide() {
		if (!this.contestant.decideNow(this.picker.pick(this.keys))) {
			throw new IllegalStateException("Denied: raise the limit");
		}
	}

}
