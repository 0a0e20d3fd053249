package dev.ratelimit.candidate;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleText;

/**
 * Internal: rules that are compared with the active ones. Immutable.
 *
 * @param version the candidate's version, which no other candidate has
 * @param base the version of the rules that it is based on; 0 if there was none
 * @param atMillis when it was started, in milliseconds since the epoch
 * @param user the user that started it
 * @param note the reason; may be empty
 * @param rules all live entries by rule id, as a document would have them
 */
public record CandidateDocument(long version, long base, long atMillis, String user, String note,
		Map<String, Object> rules) {

	public CandidateDocument {
		rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
	}

	/**
	 * Return the rules as a document.
	 * @return the document
	 */
	RuleDocument document() {
		return new RuleDocument(this.version, RuleText.digest(this.rules), this.rules, Map.of(), OptionalLong.empty());
	}

	/**
	 * Return the prefix of the scopes of its buckets. It starts with a tilde, with which
	 * no rule's id starts.
	 * @return the prefix
	 */
	String prefix() {
		return "~c" + this.version + ".";
	}

}
