package dev.ratelimit.live;

import java.util.List;
import java.util.OptionalLong;

/**
 * Internal: what an edit changes. Immutable.
 *
 * @param version the version that was written; empty for a dry run
 * @param activateAtMillis when all instances make it active, in milliseconds since the
 * epoch; empty for at once
 * @param changes what changes on this instance
 * @param warnings what works but is probably not intended
 */
public record EditResult(OptionalLong version, OptionalLong activateAtMillis, List<RuleChange> changes,
		List<String> warnings) {

	public EditResult {
		changes = List.copyOf(changes);
		warnings = List.copyOf(warnings);
	}

}
