package dev.ratelimit.live;

import java.util.List;

/**
 * Is told what becomes of documents, on the thread that adopts them.
 */
interface AdoptionListener {

	/**
	 * A document is active.
	 * @param document the document
	 * @param changes what it has changed
	 * @param lagMillis how late it is
	 */
	void adopted(RuleDocument document, List<RuleChange> changes, long lagMillis);

	/** A document was rejected. */
	void rejected();

}
