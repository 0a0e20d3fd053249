package dev.ratelimit.live.edit;

import java.util.List;
import java.util.OptionalLong;

import dev.ratelimit.live.RuleChange;

/**
 * Internal: the result of an edit. Immutable.
 *
 * @param version the newest version after the edit; empty for a dry run
 * @param written whether that version was written; false if the newest version already
 * had this content
 * @param activateAtMillis the time at which all instances make it active, in milliseconds
 * since the epoch; empty for immediate activation
 * @param changes the changes on this instance
 * @param warnings warnings of rules that work but are probably not intended
 */
public record EditResult(OptionalLong version, boolean written, OptionalLong activateAtMillis, List<RuleChange> changes,
		List<String> warnings) {

	public EditResult {
		changes = List.copyOf(changes);
		warnings = List.copyOf(warnings);
	}

	public static EditResult ofDryRun(List<RuleChange> changes, List<String> warnings) {
		return new EditResult(OptionalLong.empty(), false, OptionalLong.empty(), changes, warnings);
	}

}
