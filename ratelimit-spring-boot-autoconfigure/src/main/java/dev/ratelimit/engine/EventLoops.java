package dev.ratelimit.engine;

import reactor.core.scheduler.Schedulers;

/**
 * Internal: the threads that must not block, since other calls wait for them.
 */
public final class EventLoops {

	/** Lettuce names its event loops so unless the application names them. */
	private static final String LETTUCE = "lettuce-";

	private EventLoops() {
	}

	/**
	 * Whether the calling thread must not block. If it read the replies of Redis, it
	 * would wait for a reply that only it can read.
	 * @return whether it is one of Reactor's non-blocking threads, or an event loop of a
	 * connection to Redis
	 */
	public static boolean containCurrentThread() {
		return Schedulers.isInNonBlockingThread() || Thread.currentThread().getName().startsWith(LETTUCE);
	}

}
