package dev.ratelimit.test;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * The threads of a name that were started since this object was created. Threads of other
 * tests in the same JVM may still be ending.
 */
public final class StartedThreads {

	private final String name;

	private final Set<Thread> before;

	public StartedThreads(String name) {
		this.name = name;
		this.before = running();
	}

	/**
	 * Return the threads that are running.
	 */
	public Set<Thread> get() {
		Set<Thread> started = running();
		started.removeAll(this.before);
		return started;
	}

	private Set<Thread> running() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.isAlive() && thread.getName().equals(this.name))
			.collect(Collectors.toSet());
	}

}
