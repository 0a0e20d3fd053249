package dev.ratelimit.live;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.ShownText;

/**
 * The next document of a source. It is written only if the source has not changed
 * meanwhile. Immutable.
 *
 * @param head the version that the edit is based on; 0 if the source has no document
 * @param rules all entries by rule id; omitted entries are removed
 * @param replaced the values that each changed entry replaces, by rule id and property
 * @param user the user
 * @param note the reason, at most 200 characters; may be empty
 * @param changes the changes
 * @since 0.1.0
 */
public record RuleEdit(long head, Map<String, Object> rules, Map<String, Map<String, String>> replaced, String user,
		String note, List<RuleChange> changes) {

	/** The maximum length of a note. */
	public static final int MAX_NOTE_CHARACTERS = ShownText.MAX_NOTE_CHARACTERS;

	public RuleEdit {
		if (note.length() > MAX_NOTE_CHARACTERS || note.chars().anyMatch(Character::isISOControl)) {
			throw new IllegalArgumentException(
					"a note must have at most " + MAX_NOTE_CHARACTERS + " characters, none of them control characters");
		}
		rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
		replaced = Map.copyOf(replaced);
		changes = List.copyOf(changes);
	}

}
