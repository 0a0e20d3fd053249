package dev.ratelimit.rule;

import java.time.Instant;
import java.util.Optional;

/**
 * Internal: the change by which a live rule became what it is. Immutable.
 *
 * @param source the name of the source, such as {@code redis}
 * @param version the version of the source's rules that has the change
 * @param user the user that made the change; empty if the source does not know it
 * @param at the time of the change, if the source knows it
 * @param note the user's note; empty if there is none
 */
public record LiveChange(String source, long version, String user, Optional<Instant> at, String note) {

	/**
	 * A change of which the source knows nothing but the version.
	 * @param source the name of the source
	 * @param version the version
	 * @return the change
	 */
	public static LiveChange of(String source, long version) {
		return new LiveChange(source, version, "", Optional.empty(), "");
	}

	/**
	 * The place of a live rule, as messages name it.
	 * @param id the rule's id
	 * @return the place, such as {@code redis 13: rules.search}
	 */
	public String location(String id) {
		return this.source + " " + this.version + ": rules." + id;
	}

}
