package dev.ratelimit.store;

/**
 * Internal: monotonic time. An instance has one, and tests have one that stands still
 * until they move it. Thread-safe.
 */
@FunctionalInterface
public interface Time {

	/** The system's. */
	Time SYSTEM = System::nanoTime;

	/**
	 * The time now.
	 * @return nanoseconds since some moment, as by {@link System#nanoTime()}: only
	 * differences mean something
	 */
	long nanos();

}
