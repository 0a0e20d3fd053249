package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;

/**
 * A source that can be changed through the application. All methods may block for a few
 * seconds, and may be called by several threads.
 *
 * @since 0.1.0
 */
public interface WritableRuleSource extends RuleSource {

	/**
	 * Pass a document that this instance applied earlier, such as that of a cache file,
	 * to the source before it starts. If the source has lost its data, it restores the
	 * document with its version.
	 * @param document the document
	 */
	default void remember(RuleDocument document) {
	}

	/**
	 * Read the current document.
	 * @return the document; empty if there is none
	 * @throws RuleSourceException if the source cannot be read
	 */
	Optional<RuleDocument> newest();

	/**
	 * Write the next document, if the edit is based on the newest version of the source.
	 * @param edit the edit
	 * @return the result
	 * @throws RuleSourceException if the write fails; the edit may have been written
	 * nevertheless
	 */
	WriteResult write(RuleEdit edit);

	/**
	 * Read the history, newest first.
	 * @param max the maximum number of versions
	 * @return the versions
	 * @throws RuleSourceException if the source cannot be read
	 */
	List<RuleVersion> history(int max);

	/**
	 * Read a former document.
	 * @param version its version
	 * @return the document; empty if the source no longer keeps it
	 * @throws RuleSourceException if the source cannot be read
	 */
	Optional<RuleDocument> version(long version);

}
