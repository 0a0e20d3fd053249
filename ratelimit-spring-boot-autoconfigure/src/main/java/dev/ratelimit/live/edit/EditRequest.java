package dev.ratelimit.live.edit;

import java.util.Optional;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.base.RulePermit;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleRevisions;
import dev.ratelimit.rule.ShownText;

/**
 * Internal: the user of an edit, and the version of the rules that the user has read.
 * Immutable.
 *
 * @param version the version of the rules that the user has read; 0 if there were none
 * @param user the user
 * @param note the reason; may be empty
 * @param dryRun whether only to show the changes without making them
 * @param permit the rules that the user may change
 */
public record EditRequest(long version, String user, String note, boolean dryRun, RulePermit permit) {

	public EditRequest {
		if (version < 0) {
			throw new IllegalArgumentException("'version' must not be negative");
		}
		note = ShownText.requireNote(note);
		user = ShownText.of(user);
	}

	/**
	 * Create a request of a user that may change all rules.
	 * @param version the version of the rules that the user has read; 0 if there were
	 * none
	 * @param user the user
	 * @param note the reason; may be empty
	 * @param dryRun whether only to show the changes without making them
	 */
	public EditRequest(long version, String user, String note, boolean dryRun) {
		this(version, user, note, dryRun, RulePermit.ALL);
	}

	/**
	 * Require that no other user has changed a rule since this user read it. If the entry
	 * may have been removed so long ago that its revision is no longer kept, this is
	 * unknown and the request is rejected.
	 * @param rule the id of the rule
	 * @param present the newest document
	 * @throws EditConflictException if the rule was or may have been changed
	 * @throws IllegalArgumentException if the version does not exist
	 */
	public void requireUnchanged(String rule, Optional<RuleDocument> present) {
		long head = present.map(RuleDocument::version).orElse(0L);
		if (this.version > head) {
			throw new IllegalArgumentException("there is no version " + this.version + "; the newest is " + head);
		}
		present.map((document) -> document.revisions().get(rule))
			.filter((revision) -> revision.version() > this.version)
			.ifPresent((revision) -> {
				throw new EditConflictException("rule '" + rule + "' was changed by " + revision.user() + " in version "
						+ revision.version() + "; you read version " + this.version);
			});
		if (this.version < head - RuleRevisions.KEPT_VERSIONS
				&& present.filter((document) -> isKnown(document, rule)).isEmpty()) {
			throw new EditConflictException("it is unknown whether rule '" + rule + "' was changed since version "
					+ this.version + ", as the newest is " + head + "; read the rule again");
		}
	}

	// Some sources keep no revisions of existing entries.
	private static boolean isKnown(RuleDocument document, String rule) {
		return document.rules().containsKey(rule) || document.revisions().containsKey(rule);
	}

}
