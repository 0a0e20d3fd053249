package dev.ratelimit.rule;

import java.util.List;

/**
 * Whom a rule does not limit, and whom it refuses, in text form. Immutable.
 *
 * @param allow addresses and networks that the rule does not limit
 * @param deny addresses and networks that the rule refuses, whatever they have left
 * @param bypassAuthorities authorities whose holders the rule does not limit
 * @since 0.1.0
 */
public record Access(List<String> allow, List<String> deny, List<String> bypassAuthorities) {

	/** Everybody is limited alike. */
	public static final Access EQUAL = new Access(List.of(), List.of(), List.of());

	public Access {
		allow = List.copyOf(allow);
		deny = List.copyOf(deny);
		bypassAuthorities = List.copyOf(bypassAuthorities);
	}

	Access over(Access base) {
		return new Access(or(this.allow, base.allow), or(this.deny, base.deny),
				or(this.bypassAuthorities, base.bypassAuthorities));
	}

	private static List<String> or(List<String> own, List<String> base) {
		return (own.isEmpty()) ? base : own;
	}

}
