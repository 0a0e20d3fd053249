package dev.ratelimit.rule;

import java.util.List;

/**
 * Internal: the clients that a rule does not limit or always rejects, in text form.
 * Immutable.
 *
 * @param allow addresses and networks that the rule does not limit
 * @param deny addresses and networks that the rule rejects, regardless of the remaining
 * units
 * @param bypassAuthorities authorities whose holders the rule does not limit
 */
public record Access(List<String> allow, List<String> deny, List<String> bypassAuthorities) {

	/** All clients are limited alike. */
	public static final Access EQUAL = new Access(List.of(), List.of(), List.of());

	public Access {
		allow = List.copyOf(allow);
		deny = List.copyOf(deny);
		bypassAuthorities = List.copyOf(bypassAuthorities);
	}

}
