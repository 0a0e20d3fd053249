package dev.ratelimit.live;

import java.util.OptionalLong;
import java.util.function.Consumer;

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
	 * @param receiver receives one reading for every attempt to read, so that a source
	 * which stopped reading is noticed; it is called on one thread at a time, and may
	 * block
	 */
	void start(Consumer<? super Reading> receiver);

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
	 * Stop to read. The receiver is not called once this method has returned.
	 */
	@Override
	void close();

	/**
	 * The result of one attempt to read a source.
	 */
	sealed interface Reading {

	}

	/**
	 * There is a document other than the last one.
	 *
	 * @param document the document
	 */
	record Changed(RuleDocument document) implements Reading {
	}

	/**
	 * The source was read, and nothing has changed.
	 */
	record Unchanged() implements Reading {
	}

	/**
	 * The source was read, and has no document.
	 */
	record Absent() implements Reading {
	}

	/**
	 * The source was read, and its content is not a document.
	 *
	 * @param version the version of the content; 0 if it has none
	 * @param reason the reason, as a sentence without a full stop
	 */
	record Invalid(long version, String reason) implements Reading {
	}

	/**
	 * The source could not be read.
	 *
	 * @param reason the reason, as a few words, such as {@code timeout}
	 */
	record Failed(String reason) implements Reading {
	}

}
