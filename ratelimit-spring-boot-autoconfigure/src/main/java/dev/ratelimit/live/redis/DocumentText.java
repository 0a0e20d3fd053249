package dev.ratelimit.live.redis;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.live.Json;
import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleRevisions;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.RuleVersion;

/**
 * Documents and the metadata of their versions as JSON.
 */
final class DocumentText {

	private DocumentText() {
	}

	// Invalid text causes an IllegalArgumentException with the reason.
	static RuleDocument document(long version, String digest, OptionalLong activateAtMillis, String text,
			String revisions) {
		return new RuleDocument(version, digest, RuleText.document(text), RuleRevisions.read(revisions),
				activateAtMillis);
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

	// Keeps the order of the arguments.
	private static Map<String, Object> ordered(Object... keysAndValues) {
		Map<String, Object> map = new LinkedHashMap<>();
		for (int i = 0; i < keysAndValues.length; i += 2) {
			map.put((String) keysAndValues[i], keysAndValues[i + 1]);
		}
		return map;
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
