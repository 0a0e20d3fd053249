package dev.ratelimit.live;

import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A place outside of the application that changes its rules while it runs, such as Redis
 * or a file. All instances that read the same place apply the same rules. Implementations
 * must be thread-safe.
 *
 * @since 0.1.0
 */
public interface RuleSource extends AutoCloseable {

	/**
	 * Return the name of the source, as shown in locations, logs, and the actuator
	 * endpoints.
	 * @return the name, such as {@code redis}
	 */
	String name();

	/**
	 * Start to read. Does not block. A closed source can be started again.
	 * @param receiver receives one reading for every attempt to read, so that a source
	 * that has stopped reading is detected; it is called on one thread at a time, and may
	 * block
	 */
	void start(Consumer<? super Reading> receiver);

	/**
	 * Return the time by the clock of {@link RuleDocument#activateAtMillis()}. An
	 * instance computes the wait once, when it reads a document, so that later changes of
	 * the clock do not affect it.
	 * @return milliseconds since the epoch; empty if documents are activated immediately
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
	 * The source has a new document.
	 *
	 * @param document the document
	 */
	record Changed(RuleDocument document) implements Reading {
	}

	/**
	 * The source was read, and its document has not changed.
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
	 * @param reason the reason, as a sentence without a period
	 */
	record Invalid(long version, String reason) implements Reading {
	}

	/**
	 * The source could not be read.
	 *
	 * @param reason a short reason, such as {@code timeout}
	 * @param lasting whether a start need not wait for the source, such as a file that
	 * does not exist
	 */
	record Failed(String reason, boolean lasting) implements Reading {

		/**
		 * Create a reading of a source that may respond soon.
		 * @param reason a short reason, such as {@code timeout}
		 */
		public Failed(String reason) {
			this(reason, false);
		}

	}

}
