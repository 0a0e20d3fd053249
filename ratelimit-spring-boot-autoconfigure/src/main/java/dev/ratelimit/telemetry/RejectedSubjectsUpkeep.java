package dev.ratelimit.telemetry;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Ends the windows in which rejected subjects are counted: periodically, and when the
 * application stops.
 */
final class RejectedSubjectsUpkeep implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RejectedSubjectsUpkeep.class);

	private static final long TIMEOUT_MILLIS = 200;

	private final RejectedSubjects subjects;

	private final Upkeep.Task windows;

	RejectedSubjectsUpkeep(RejectedSubjects subjects, Upkeep upkeep) {
		this.subjects = subjects;
		this.windows = upkeep.start(RejectedSubjects.WINDOW, RejectedSubjects.WINDOW,
				"Failed to count rejected subjects", subjects::flush);
	}

	@Override
	public void close() {
		this.windows.close();
		try {
			this.subjects.flush().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("Failed to add the rejected subjects of the last window", ex);
		}
	}

}
