package dev.ratelimit.live.redis;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.live.Json;
import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleRevision;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.RuleVersion;

/**
 * Documents, and what is known of their versions, as JSON.
 */
final class DocumentText {

	private DocumentText() {
	}

	// What is not a document is an IllegalArgumentException with the reason.
	static RuleDocument document(long version, String digest, OptionalLong activateAtMillis, String text,
			String revisions) {
		Map<String, RuleRevision> read = new LinkedHashMap<>();
		Json.readObject(revisions).forEach((rule, revision) -> read.put(rule, revision(asMap(revision, rule))));
		return new RuleDocument(version, digest, RuleText.document(text), read, activateAtMillis);
	}

	static String revisions(Map<String, RuleRevision> revisions) {
		Map<String, Object> texts = new LinkedHashMap<>();
		revisions.forEach((rule, revision) -> texts.put(rule, ordered("version", revision.version(), "at",
				revision.at(), "user", revision.user(), "note", revision.note(), "replaced", revision.replaced())));
		return Json.write(texts);
	}

	private static RuleRevision revision(Map<String, Object> parts) {
		Map<String, String> replaced = new LinkedHashMap<>();
		map(parts, "replaced").forEach((property, value) -> replaced.put(property, value.toString()));
		try {
			return new RuleRevision(Long.parseLong(text(parts, "version")), Instant.parse(text(parts, "at")),
					text(parts, "user"), text(parts, "note"), replaced);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("'at' is not a time", ex);
		}
	}

	static String meta(String user, String note, List<RuleChange> changes) {
		return Json
			.write(ordered("user", user, "note", note, "changes", changes.stream().map(DocumentText::parts).toList()));
	}

	static RuleVersion version(long version, long atMillis, String meta) {
		Map<String, Object> parts = Json.readObject(meta);
		List<?> changes = (parts.get("changes") instanceof List<?> list) ? list : List.of();
		return new RuleVersion(version, Instant.ofEpochMilli(atMillis), text(parts, "user"), text(parts, "note"),
				changes.stream().map((change) -> change(asMap(change, "changes"))).toList());
	}

	private static Map<String, Object> parts(RuleChange change) {
		Map<String, Object> parts = ordered("rule", change.rule(), "property", change.property());
		change.from().ifPresent((from) -> parts.put("from", from));
		change.to().ifPresent((to) -> parts.put("to", to));
		return parts;
	}

	private static RuleChange change(Map<String, Object> parts) {
		return new RuleChange(text(parts, "rule"), text(parts, "property"), optional(parts, "from"),
				optional(parts, "to"));
	}

	// In this order.
	private static Map<String, Object> ordered(Object... keysAndValues) {
		Map<String, Object> map = new LinkedHashMap<>();
		for (int i = 0; i < keysAndValues.length; i += 2) {
			map.put((String) keysAndValues[i], keysAndValues[i + 1]);
		}
		return map;
	}

	private static Map<String, Object> map(Map<String, Object> parts, String name) {
		return asMap(parts.getOrDefault(name, Map.of()), name);
	}

	private static Map<String, Object> asMap(Object value, String name) {
		if (!(value instanceof Map<?, ?> map)) {
			throw new IllegalArgumentException("'" + name + "' is not a map");
		}
		Map<String, Object> entries = new LinkedHashMap<>();
		map.forEach((key, entry) -> entries.put((String) key, entry));
		return entries;
	}

	private static String text(Map<String, Object> parts, String name) {
		return optional(parts, name).orElseThrow(() -> new IllegalArgumentException("'" + name + "' is missing"));
	}

	private static Optional<String> optional(Map<String, Object> parts, String name) {
		return Optional.ofNullable(parts.get(name)).map(Object::toString);
	}

}
