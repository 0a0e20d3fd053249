package dev.ratelimit.store.guard;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import dev.ratelimit.store.StoreCheck;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tries the store in the background, so that no request pays for finding out.
 */
final class StoreProbe implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(StoreProbe.class);

	private final StoreCheck check;

	private final Consumer<@Nullable StoreException> result;

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "ratelimit-store-probe");
		thread.setDaemon(true);
		return thread;
	});

	StoreProbe(StoreCheck check, Consumer<@Nullable StoreException> result) {
		this.check = check;
		this.result = result;
	}

	Optional<StoreException> start(Duration patience, Duration interval, BooleanSupplier needed) {
		CompletableFuture<Optional<StoreException>> first = CompletableFuture.supplyAsync(this::probe, this.executor);
		this.executor.scheduleWithFixedDelay(() -> {
			if (needed.getAsBoolean()) {
				probe();
			}
		}, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
		StoreException late = new StoreException(Kind.TIMEOUT, "no answer within " + patience.toMillis() + " ms", null);
		Optional<StoreException> outcome = first
			.completeOnTimeout(Optional.of(late), patience.toMillis(), TimeUnit.MILLISECONDS)
			.join();
		outcome.filter((failure) -> failure == late).ifPresent(this.result);
		return outcome;
	}

	/**
	 * Do something on the probe's thread, where nobody waits.
	 * @param task what to do; left out once the probe is closed
	 */
	void execute(Runnable task) {
		try {
			this.executor.execute(task);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Closed already", ex);
		}
	}

	private Optional<StoreException> probe() {
		try {
			this.check.check();
			this.result.accept(null);
			return Optional.empty();
		}
		catch (StoreException ex) {
			return failed(ex);
		}
		catch (RuntimeException ex) {
			// Thrown on, it would end the probing for good.
			return failed(new StoreException(Kind.OTHER, String.valueOf(ex), ex));
		}
	}

	private Optional<StoreException> failed(StoreException failure) {
		this.result.accept(failure);
		return Optional.of(failure);
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
