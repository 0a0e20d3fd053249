package dev.ratelimit.live;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Internal: the revisions of the entries of a document as JSON.
 */
public final class RuleRevisions {

	/**
	 * The number of versions for which a source keeps the revision of a removed entry.
	 */
	public static final int KEPT_VERSIONS = 50;

	private RuleRevisions() {
	}

	/**
	 * Write revisions.
	 * @param revisions the revisions by rule id
	 * @return the text, which {@link #read} reads
	 */
	public static String write(Map<String, RuleRevision> revisions) {
		Map<String, Object> texts = new LinkedHashMap<>();
		revisions.forEach((rule, revision) -> {
			Map<String, Object> parts = new LinkedHashMap<>();
			parts.put("version", revision.version());
			parts.put("at", revision.at());
			parts.put("user", revision.user());
			parts.put("note", revision.note());
			parts.put("replaced", revision.replaced());
			texts.put(rule, parts);
		});
		return Json.write(texts);
	}

	/**
	 * Read revisions.
	 * @param text the text
	 * @return the revisions by rule id
	 * @throws IllegalArgumentException if the text is invalid, with the reason
	 */
	public static Map<String, RuleRevision> read(String text) {
		Map<String, RuleRevision> revisions = new LinkedHashMap<>();
		Json.readObject(text).forEach((rule, revision) -> revisions.put(rule, revision(map(revision, rule))));
		return revisions;
	}

	private static RuleRevision revision(Map<?, ?> parts) {
		Map<String, String> replaced = new LinkedHashMap<>();
		map(parts.containsKey("replaced") ? parts.get("replaced") : Map.of(), "replaced")
			.forEach((property, value) -> replaced.put(String.valueOf(property), String.valueOf(value)));
		try {
			return new RuleRevision(Long.parseLong(text(parts, "version")), Instant.parse(text(parts, "at")),
					text(parts, "user"), text(parts, "note"), replaced);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("'at' is not a time", ex);
		}
	}

	private static Map<?, ?> map(Object value, String name) {
		if (value instanceof Map<?, ?> map) {
			return map;
		}
		throw new IllegalArgumentException("'" + name + "' is not a map");
	}

	private static String text(Map<?, ?> parts, String name) {
		if (!parts.containsKey(name)) {
			throw new IllegalArgumentException("'" + name + "' is missing");
		}
		return String.valueOf(parts.get(name));
	}

}
