package dev.ratelimit.live;

import java.time.Instant;
import java.util.List;

/**
 * An entry of the history of a source. Immutable.
 *
 * @param version the version
 * @param at the time at which it was written
 * @param user the user that wrote it
 * @param note the reason that the user gave; may be empty
 * @param changes the changes of the version
 * @since 0.1.0
 */
public record RuleVersion(long version, Instant at, String user, String note, List<RuleChange> changes) {

	public RuleVersion {
		changes = List.copyOf(changes);
	}

}
