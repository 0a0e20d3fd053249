package dev.ratelimit.web.servlet;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Sends a response later that is written but not flushed, without a thread. The request
 * is completed and not dispatched again: nothing of the chain follows. Thread-safe.
 */
final class DelayedEnd {

	private static final Log logger = LogFactory.getLog(DelayedEnd.class);

	/** Longer than any delay, so that the container ends what was forgotten. */
	private static final long TIMEOUT_MILLIS = 60_000;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Whether the response to a request can be sent later.
	 * @param request the request
	 * @return false if a filter or servlet is not declared asynchronous
	 */
	boolean isPossible(HttpServletRequest request) {
		boolean possible = request.isAsyncSupported();
		if (!possible && this.warned.compareAndSet(false, true)) {
			logger.warn("Rejections are not delayed (on-excess: tarpit), because a filter or servlet of the request"
					+ " does not support asynchronous processing. Register it with asyncSupported = true.");
		}
		return possible;
	}

	void await(HttpServletRequest request, CompletableFuture<Void> over) {
		AsyncContext async = request.startAsync();
		async.setTimeout(TIMEOUT_MILLIS);
		over.thenRun(() -> complete(async));
	}

	private static void complete(AsyncContext async) {
		try {
			async.complete();
		}
		catch (IllegalStateException ex) {
			logger.debug("The client has gone away", ex);
		}
	}

}
