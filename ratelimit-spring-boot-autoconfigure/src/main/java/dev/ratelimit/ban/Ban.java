package dev.ratelimit.ban;

import dev.ratelimit.BanKind;

/**
 * Internal: a ban, mark, or pause of a subject by a rule until a time, or that it was
 * lifted. Immutable.
 *
 * @param rule the rule's id
 * @param subject the subject, canonical
 * @param kind what the rule does
 * @param untilMillis the end, in milliseconds of Unix time; 0 if it was lifted
 * @param count how many bans in a row this is
 * @param atMillis when it was imposed or lifted
 * @param forgottenMillis when it makes no further ban longer
 * @param number orders changes: the one with the higher number prevails
 * @param user the user that imposed or lifted it; empty if strikes did
 */
public record Ban(String rule, String subject, BanKind kind, long untilMillis, int count, long atMillis,
		long forgottenMillis, long number, String user) {

	/**
	 * Whether the ban has not ended.
	 * @param nowMillis the time
	 * @return whether the rule still does it
	 */
	boolean isActive(long nowMillis) {
		return this.untilMillis > nowMillis;
	}

}
