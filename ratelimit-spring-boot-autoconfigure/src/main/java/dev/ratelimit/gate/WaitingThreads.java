package dev.ratelimit.gate;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;

/**
 * Internal: where threads wait for the turn of their call. There is a bounded number of
 * places, so that waiting cannot take up all threads of a server. Virtual threads cost
 * next to nothing, and take none. Thread-safe.
 */
public final class WaitingThreads {

	/** Null before Java 21. */
	private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

	private final Semaphore places;

	/**
	 * Some places.
	 * @param places how many platform threads may wait at a time, at least 0
	 */
	public WaitingThreads(int places) {
		this.places = new Semaphore(places);
	}

	/**
	 * Take a place.
	 * @return whether there is one, which {@link #leave} gives back
	 */
	public boolean enter() {
		return this.places.tryAcquire();
	}

	/** Give a place back. */
	public void leave() {
		this.places.release();
	}

	/**
	 * Wait for the turn of a call on the calling thread.
	 * @param waiting the call, which {@linkplain RequestProgress#waits waits}
	 * @return how far it has come; rejected if there is no place
	 * @throws InterruptedException if the thread is interrupted; the call has left its
	 * line then
	 */
	public RequestProgress turn(RequestProgress waiting) throws InterruptedException {
		if (isVirtual(Thread.currentThread())) {
			return await(waiting);
		}
		if (!enter()) {
			waiting.refuse();
			return await(waiting);
		}
		try {
			return await(waiting);
		}
		finally {
			leave();
		}
	}

	private static RequestProgress await(RequestProgress waiting) throws InterruptedException {
		try {
			return waiting.turn().get();
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

	private static boolean isVirtual(Thread thread) {
		try {
			return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
		}
		catch (Throwable ex) {
			throw new IllegalStateException("a thread does not tell what it is", ex);
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
