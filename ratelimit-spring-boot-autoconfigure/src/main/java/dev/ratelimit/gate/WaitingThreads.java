package dev.ratelimit.gate;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.engine.WaitingPlaces;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the threads that wait for the turn of their call, or for as long as a limit
 * delays it. The number of places is bounded, so that waiting calls cannot occupy all
 * threads of a server. Clients share the places. Virtual threads need no place.
 * Thread-safe.
 */
public final class WaitingThreads {

	/** Null before Java 21. */
	private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

	private final WaitingPlaces places;

	/**
	 * Create places.
	 * @param places the maximum number of platform threads that wait at a time, at least
	 * 0
	 */
	public WaitingThreads(int places) {
		this.places = new WaitingPlaces(places);
	}

	/**
	 * Return the places, one of which a call occupies if it waits on the calling thread.
	 * @return the places; empty for a virtual thread
	 */
	public Optional<WaitingPlaces> places() {
		return (isVirtual(Thread.currentThread())) ? Optional.empty() : Optional.of(this.places);
	}

	/**
	 * Wait for the turn of a call on the calling thread, for which it has a
	 * {@linkplain #places place}.
	 * @param waiting the call, which {@linkplain RequestProgress#waits waits}
	 * @return the progress after the wait
	 * @throws InterruptedException if the thread is interrupted, in which case the call
	 * leaves its queue
	 */
	public RequestProgress await(RequestProgress waiting) throws InterruptedException {
		try {
			return waiting.afterWait().get();
		}
		catch (InterruptedException ex) {
			waiting.free();
			throw ex;
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause
					: new IllegalStateException("A wait failed", ex.getCause());
		}
	}

	/**
	 * Wait for the turn of a call on the calling thread, but only until the client
	 * disconnects.
	 * @param waiting the call, which {@linkplain RequestProgress#waits waits}
	 * @param gone completed when the client disconnects
	 * @return the progress; empty if the client has disconnected, in which case the call
	 * leaves its queue
	 * @throws InterruptedException if the thread is interrupted, in which case the call
	 * leaves its queue
	 */
	public Optional<RequestProgress> await(RequestProgress waiting, CompletableFuture<?> gone)
			throws InterruptedException {
		try {
			CompletableFuture.anyOf(waiting.afterWait(), gone).get();
		}
		catch (InterruptedException ex) {
			waiting.free();
			throw ex;
		}
		catch (ExecutionException ex) {
			// The call of await below throws the failure.
		}
		if (gone.isDone()) {
			waiting.free();
			return Optional.empty();
		}
		return Optional.of(await(waiting));
	}

	/**
	 * Wait on the calling thread for as long as a limit delays a call.
	 * @param delayed the call
	 * @return false if no place is free, or if another call takes the place before the
	 * end
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean delay(RequestProgress delayed) throws InterruptedException {
		return delay(delayed, new CompletableFuture<>());
	}

	/**
	 * Wait on the calling thread for as long as a limit delays a call, but only until the
	 * client disconnects.
	 * @param delayed the call
	 * @param gone completed when the client disconnects
	 * @return false if no place is free, if another call takes the place before the end,
	 * or if the client disconnects
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean delay(RequestProgress delayed, CompletableFuture<?> gone) throws InterruptedException {
		CountDownLatch displaced = new CountDownLatch(1);
		gone.thenRun(displaced::countDown);
		Runnable leave = () -> {
		};
		if (places().isPresent()) {
			List<Runnable> after = new ArrayList<>(1);
			Optional<Runnable> release = this.places.take(delayed.delay().flow(), displaced::countDown, after);
			after.forEach(Runnable::run);
			if (release.isEmpty()) {
				return false;
			}
			leave = release.get();
		}
		try {
			return !displaced.await(delayed.delay().leftNanos(), TimeUnit.NANOSECONDS);
		}
		finally {
			leave.run();
		}
	}

	private static boolean isVirtual(Thread thread) {
		try {
			return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
		}
		catch (Throwable ex) {
			throw new IllegalStateException("cannot find out whether a thread is virtual", ex);
		}
	}

	private static @Nullable MethodHandle isVirtual() {
		try {
			return MethodHandles.publicLookup()
				.findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
		}
		catch (NoSuchMethodException | IllegalAccessException ex) {
			return null;
		}
	}

}
