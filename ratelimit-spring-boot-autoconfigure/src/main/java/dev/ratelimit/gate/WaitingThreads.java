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
 * holds it. There is a bounded number of places, so that waiting cannot take up all
 * threads of a server, and clients share them. Virtual threads need none. Thread-safe.
 */
public final class WaitingThreads {

	/** Null before Java 21. */
	private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

	private final WaitingPlaces places;

	/**
	 * Some places.
	 * @param places how many platform threads may wait at a time, at least 0
	 */
	public WaitingThreads(int places) {
		this.places = new WaitingPlaces(places);
	}

	/**
	 * The places that a call needs one of if it waits on the calling thread.
	 * @return the places; empty for a virtual thread
	 */
	public Optional<WaitingPlaces> places() {
		return (isVirtual(Thread.currentThread())) ? Optional.empty() : Optional.of(this.places);
	}

	/**
	 * Wait for the turn of a call on the calling thread, for which it has a
	 * {@linkplain #places place}.
	 * @param waiting the call, which {@linkplain RequestProgress#waits waits}
	 * @return how far it has come
	 * @throws InterruptedException if the thread is interrupted; the call has left its
	 * queue then
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
	 * The same, unless the client goes away meanwhile.
	 * @param waiting the call, which {@linkplain RequestProgress#waits waits}
	 * @param gone completed when the client is gone
	 * @return how far it has come; empty if the client is gone: the call has left its
	 * queue then
	 * @throws InterruptedException if the thread is interrupted; the call has left its
	 * queue then
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
			// The wait has failed, and fails again below.
		}
		if (gone.isDone()) {
			waiting.free();
			return Optional.empty();
		}
		return Optional.of(await(waiting));
	}

	/**
	 * Wait on the calling thread for as long as a limit holds a call.
	 * @param held the call
	 * @return false if there is no place for it to wait, or not for so long
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean hold(RequestProgress held) throws InterruptedException {
		return hold(held, new CompletableFuture<>());
	}

	/**
	 * The same, unless the client goes away meanwhile.
	 * @param held the call
	 * @param gone completed when the client is gone
	 * @return false if there is no place for it to wait, or not for so long, or if the
	 * client is gone
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean hold(RequestProgress held, CompletableFuture<?> gone) throws InterruptedException {
		CountDownLatch displaced = new CountDownLatch(1);
		gone.thenRun(displaced::countDown);
		Runnable leave = () -> {
		};
		if (places().isPresent()) {
			List<Runnable> after = new ArrayList<>(1);
			Optional<Runnable> release = this.places.take(held.hold().flow(), displaced::countDown, after);
			after.forEach(Runnable::run);
			if (release.isEmpty()) {
				return false;
			}
			leave = release.get();
		}
		try {
			return !displaced.await(held.hold().leftNanos(), TimeUnit.NANOSECONDS);
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
