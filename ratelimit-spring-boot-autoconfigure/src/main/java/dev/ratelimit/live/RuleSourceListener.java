package dev.ratelimit.live;

/**
 * Receives what a {@link RuleSource} reads. Every attempt to read leads to one call, so
 * that a source which stopped reading is noticed.
 *
 * @since 0.1.0
 */
public interface RuleSourceListener {

	/**
	 * There is a document other than the last one.
	 * @param document the document
	 */
	void changed(RuleDocument document);

	/** The source was read, and nothing has changed. */
	void unchanged();

	/** The source was read, and has no document. */
	void absent();

	/**
	 * The source was read, and its content is not a document.
	 * @param version the version of the content; 0 if it has none
	 * @param reason the reason, as a sentence without a full stop
	 */
	void invalid(long version, String reason);

	/**
	 * The source could not be read.
	 * @param reason the reason, as a few words, such as {@code timeout}
	 */
	void failed(String reason);

}
