package dev.ratelimit.live.redis;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleRevision;
import dev.ratelimit.live.RuleText;

/**
 * Makes the next document of an edit: entries that differ get a revision, also those that
 * it removes, for as long as the version is kept: whoever edits one that was removed
 * meanwhile learns of it.
 */
final class NextDocument {

	private NextDocument() {
	}

	static StoredDocument of(Optional<StoredDocument> base, RuleEdit edit, long nowMillis) {
		long version = edit.head() + 1;
		Map<String, Object> former = base.map((stored) -> stored.document().rules()).orElse(Map.of());
		Map<String, RuleRevision> revisions = new LinkedHashMap<>(
				base.map((stored) -> stored.document().revisions()).orElse(Map.of()));
		revisions.entrySet()
			.removeIf((entry) -> !edit.rules().containsKey(entry.getKey())
					&& entry.getValue().version() <= version - DocumentStore.VERSIONS);
		TreeSet<String> ids = new TreeSet<>(former.keySet());
		ids.addAll(edit.rules().keySet());
		ids.removeIf((id) -> Optional.ofNullable(former.get(id)).equals(Optional.ofNullable(edit.rules().get(id))));
		ids.forEach((id) -> revisions.put(id, revision(version, id, edit, nowMillis)));
		RuleDocument document = new RuleDocument(version, RuleText.digest(edit.rules()), edit.rules(), revisions,
				OptionalLong.empty());
		return new StoredDocument(document, nowMillis, DocumentText.meta(edit.user(), edit.note(), edit.changes()));
	}

	private static RuleRevision revision(long version, String id, RuleEdit edit, long nowMillis) {
		return new RuleRevision(version, Instant.ofEpochMilli(nowMillis), edit.user(), edit.note(),
				edit.replaced().getOrDefault(id, Map.of()));
	}

}
