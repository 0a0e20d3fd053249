package dev.ratelimit.live;

import java.util.OptionalLong;

/**
 * A place outside of the application that changes its rules while it runs, such as Redis
 * or a file. All instances that read the same place apply the same rules. Implementations
 * have to be thread-safe.
 *
 * @since 0.1.0
 */
public interface RuleSource extends AutoCloseable {

	/**
	 * The name of the source, as it appears in locations, logs, and the actuator
	 * endpoints.
	 * @return the name, such as {@code redis}
	 */
	String name();

	/**
	 * Start to read. Returns at once. A source that was closed can be started again.
	 * @param listener receives what is read, on one thread at a time, and may block
	 */
	void start(RuleSourceListener listener);

	/**
	 * The time by the clock of {@link RuleDocument#activateAtMillis()}. Instances wait
	 * from the moment they read a document until that time, and no longer: the clock may
	 * be set meanwhile.
	 * @return milliseconds since the epoch; empty if documents are activated at once
	 */
	default OptionalLong nowMillis() {
		return OptionalLong.empty();
	}

	/**
	 * Stop to read. The listener is not called once this method has returned.
	 */
	@Override
	void close();

}
