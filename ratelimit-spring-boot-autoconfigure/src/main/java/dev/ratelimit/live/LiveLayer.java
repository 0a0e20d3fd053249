package dev.ratelimit.live;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

import dev.ratelimit.rule.LiveChange;
import dev.ratelimit.rule.RuleReader;
import dev.ratelimit.rule.WrittenRule;
import org.jspecify.annotations.Nullable;

/**
 * A document with its parsed entries. Immutable.
 *
 * @param source the name of the source; empty if there is no document
 * @param document the document
 * @param written its entries by rule id
 */
record LiveLayer(String source, RuleDocument document, Map<String, WrittenRule> written) {

	LiveLayer {
		written = Map.copyOf(written);
	}

	/**
	 * Read a document.
	 * @param source the name of its source
	 * @param document the document
	 * @param before the previous layer, whose equal entries are reused
	 * @param reader reads an entry
	 * @return the layer
	 * @throws IllegalArgumentException if the document exceeds the bounds
	 * @throws dev.ratelimit.rule.InvalidRuleException if an entry is invalid
	 */
	static LiveLayer read(String source, RuleDocument document, Optional<LiveLayer> before, RuleReader reader) {
		RuleTree.check(document.rules());
		Map<String, Object> entries = RuleTree.expanded(document.rules());
		Map<String, WrittenRule> written = new TreeMap<>();
		document.rules().forEach((id, entry) -> {
			WrittenRule same = before.map((layer) -> layer.unchanged(id, entry)).orElse(null);
			LiveChange change = change(source, document, id, same);
			written.put(id, (same != null && same.change().filter(change::equals).isPresent()) ? same
					: WrittenRule.live(id, reader.read(change.location(id), entry(entries, id)), change));
		});
		return new LiveLayer(source, document, written);
	}

	private @Nullable WrittenRule unchanged(String id, Object entry) {
		return (entry.equals(this.document.rules().get(id))) ? this.written.get(id) : null;
	}

	// If the source does not record the user and time of changes, the change is the
	// version in which the entry was first read.
	private static LiveChange change(String source, RuleDocument document, String id, @Nullable WrittenRule same) {
		RuleRevision revision = document.revisions().get(id);
		if (revision != null) {
			return new LiveChange(source, revision.version(), revision.user(), Optional.of(revision.at()),
					revision.note());
		}
		return Optional.ofNullable(same)
			.flatMap(WrittenRule::change)
			.orElseGet(() -> LiveChange.of(source, document.version()));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> entry(Map<String, Object> entries, String id) {
		return (Map<String, Object>) Objects.requireNonNull(entries.get(id));
	}

}
