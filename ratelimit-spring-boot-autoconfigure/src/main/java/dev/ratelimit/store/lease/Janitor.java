package dev.ratelimit.store.lease;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Does something again and again, on a thread of its own.
 */
final class Janitor implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Janitor.class);

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "ratelimit-leases");
		thread.setDaemon(true);
		return thread;
	});

	Janitor(Runnable round, long everyMillis) {
		this.timer.scheduleWithFixedDelay(() -> attempt(round), everyMillis, everyMillis, TimeUnit.MILLISECONDS);
	}

	private static void attempt(Runnable round) {
		try {
			round.run();
		}
		catch (RuntimeException ex) {
			// Thrown on, it would end the rounds for good.
			logger.error("Leases could not be looked after", ex);
		}
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
	}

}
