package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;

/**
 * A source that can be changed through the application. All methods block, for at most
 * some seconds, and may be called by several threads.
 *
 * @since 0.1.0
 */
public interface WritableRuleSource extends RuleSource {

	/**
	 * Hand the source, before it starts, a document that this instance applied earlier,
	 * such as one from a cache file. If the source has lost its data, it takes the
	 * document back, with its version.
	 * @param document the document
	 */
	default void remember(RuleDocument document) {
	}

	/**
	 * The present document, read now.
	 * @return the document; empty if there is none
	 * @throws RuleSourceException if the source cannot be read
	 */
	Optional<RuleDocument> newest();

	/**
	 * Write the next document, unless the source's head is not the one of the edit.
	 * @param edit the edit
	 * @return whether it was written
	 * @throws RuleSourceException if the source cannot be written; the edit may then have
	 * been written or not
	 */
	WriteResult write(RuleEdit edit);

	/**
	 * The history, newest first.
	 * @param max how many versions at most
	 * @return the versions
	 * @throws RuleSourceException if the source cannot be read
	 */
	List<RuleVersion> history(int max);

	/**
	 * A former document.
	 * @param version its version
	 * @return the document; empty if the source does not keep it any more
	 * @throws RuleSourceException if the source cannot be read
	 */
	Optional<RuleDocument> version(long version);

}
