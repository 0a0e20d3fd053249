package dev.ratelimit.live;

/**
 * Internal: who wants to change rules, and what the user has read of them. Immutable.
 *
 * @param version the version of the rules that the user has read; 0 if there were none
 * @param user the user
 * @param note the reason; may be empty
 * @param dryRun whether only to tell what would change
 */
public record EditRequest(long version, String user, String note, boolean dryRun) {

	public EditRequest {
		if (version < 0) {
			throw new IllegalArgumentException("'version' must not be negative");
		}
		if (note.length() > RuleEdit.MAX_NOTE_CHARACTERS || !RuleTree.isPlain(note)) {
			throw new IllegalArgumentException("'note' must have at most " + RuleEdit.MAX_NOTE_CHARACTERS
					+ " characters, none of them control characters");
		}
		user = RuleTree.shown(user);
	}

}
