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
 * @param version the version of the candidate, which is unique
 * @param base the version of the rules that it is based on; 0 if there was none
 * @param atMillis the time of the start, in milliseconds since the epoch
 * @param user the user that started it
 * @param note the reason; may be empty
 * @param rules all live entries by rule id, in the form of a document
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
	 * Return the prefix of the scopes of its buckets. It starts with a tilde, because ids
	 * of rules cannot start with one.
	 * @return the prefix
	 */
	String prefix() {
		return "~c" + this.version + ".";
	}

}
