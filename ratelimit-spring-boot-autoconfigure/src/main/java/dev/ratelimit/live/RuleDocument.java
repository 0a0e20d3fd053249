package dev.ratelimit.live;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The rules of a source at one version. Immutable.
 *
 * @param version the version, which grows with every change
 * @param digest the digest of the content, equal for equal content; at least 12
 * hexadecimal digits
 * @param rules the entries by rule id, with the properties of {@code ratelimit.rules}:
 * nested maps, lists, and texts
 * @param revisions the last change of each entry, by rule id, also of entries that were
 * removed in the last 50 versions; empty if the source does not know it
 * @param activateAtMillis the time at which all instances make the rules active, in
 * milliseconds since the epoch by the clock of the source; empty for immediate activation
 * @since 0.1.0
 */
public record RuleDocument(long version, String digest, Map<String, Object> rules, Map<String, RuleRevision> revisions,
		OptionalLong activateAtMillis) {

	public RuleDocument {
		if (version < 0) {
			throw new IllegalArgumentException("a version must not be negative");
		}
		if (!digest.matches("[0-9a-f]{12,64}")) {
			throw new IllegalArgumentException("a digest must have 12 to 64 hexadecimal digits");
		}
		rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
		revisions = Map.copyOf(revisions);
	}

}
