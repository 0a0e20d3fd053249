package dev.ratelimit.store;

/**
 * Internal: monotonic time. Tests use a time that changes only when they set it.
 * Thread-safe.
 */
@FunctionalInterface
public interface Time {

	/** The monotonic time of the system. */
	Time SYSTEM = System::nanoTime;

	/**
	 * Return the current time.
	 * @return nanoseconds since an arbitrary time, like {@link System#nanoTime()}; only
	 * differences are meaningful
	 */
	long nanos();

}
