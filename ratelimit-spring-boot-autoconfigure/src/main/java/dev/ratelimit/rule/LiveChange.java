package dev.ratelimit.rule;

import java.time.Instant;
import java.util.Optional;

/**
 * Internal: the last change of a live rule. Immutable.
 *
 * @param source the name of the source, such as {@code redis}
 * @param version the version of the source's rules that has the change
 * @param user the user that made the change; empty if the source does not know it
 * @param at the time of the change, if the source knows it
 * @param note the user's note; empty if there is none
 */
public record LiveChange(String source, long version, String user, Optional<Instant> at, String note) {

	/**
	 * A change of which the source knows only the version.
	 * @param source the name of the source
	 * @param version the version
	 * @return the change
	 */
	public static LiveChange of(String source, long version) {
		return new LiveChange(source, version, "", Optional.empty(), "");
	}

	/**
	 * Return the location of a live rule, as shown in messages.
	 * @param id the rule's id
	 * @return the location, such as {@code redis 13: rules.search}
	 */
	public String location(String id) {
		return this.source + " " + this.version + ": rules." + id;
	}

}
