package dev.ratelimit.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.Decision;

/**
 * Waits for a decision on the calling thread. A decision after the end of the wait is
 * refunded.
 */
final class AwaitedDecision {

	/**
	 * The additional wait after the maximum. It bounds blocking calls if a store does not
	 * respond by the deadline.
	 */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private AwaitedDecision() {
	}

	/**
	 * Require that the calling thread may block.
	 * @throws IllegalStateException if it is one of Reactor's non-blocking threads or an
	 * event loop of a connection to Redis
	 */
	static void requireBlockingThread() {
		if (EventLoops.containCurrentThread()) {
			throw new IllegalStateException(
					"acquireBlocking(…) was called on the thread '" + Thread.currentThread().getName()
							+ "', which must not block: use acquire(…), or call it on Schedulers.boundedElastic()");
		}
	}

	/**
	 * Wait for a decision.
	 * @param decision the decision
	 * @param max the maximum time until the decision; the call waits up to 5 s longer
	 * @return the decision
	 */
	static Decision await(CompletableFuture<Decision> decision, Duration max) {
		long maxMillis = max.plus(GRACE).toMillis();
		try {
			return decision.get(maxMillis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			abandon(decision);
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for a decision", ex);
		}
		catch (TimeoutException ex) {
			abandon(decision);
			throw new IllegalStateException("The store did not complete a decision within " + maxMillis + " ms", ex);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			throw new IllegalStateException("The store failed to complete a decision", ex.getCause());
		}
	}

	private static void abandon(CompletableFuture<Decision> decision) {
		decision.thenAccept((unseen) -> unseen.reservation().cancel());
	}

}
