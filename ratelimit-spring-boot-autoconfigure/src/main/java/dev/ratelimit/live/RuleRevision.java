package dev.ratelimit.live;

import java.time.Instant;
import java.util.Map;

/**
 * The last change of one entry of a document. Immutable.
 *
 * @param version the version of the document that changed the entry
 * @param at the time of the change
 * @param user the user that changed it
 * @param note the reason that the user gave; may be empty
 * @param replaced the values of the application's own rule that the entry replaced at
 * that time, by property
 * @since 0.1.0
 */
public record RuleRevision(long version, Instant at, String user, String note, Map<String, String> replaced) {

	public RuleRevision {
		replaced = Map.copyOf(replaced);
	}

}
