package dev.ratelimit.engine;

import reactor.core.scheduler.Schedulers;

/**
 * Internal: the threads that must not block, because other calls depend on them.
 */
public final class EventLoops {

	/** The default prefix of the names of Lettuce's event loops. */
	private static final String LETTUCE = "lettuce-";

	private EventLoops() {
	}

	/**
	 * Whether the calling thread must not block. An event loop that waits for a reply of
	 * Redis would wait for itself.
	 * @return whether it is one of Reactor's non-blocking threads, or an event loop of a
	 * connection to Redis
	 */
	public static boolean containCurrentThread() {
		return Schedulers.isInNonBlockingThread() || Thread.currentThread().getName().startsWith(LETTUCE);
	}

}
