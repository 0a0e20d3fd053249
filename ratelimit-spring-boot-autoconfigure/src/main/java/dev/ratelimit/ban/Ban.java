package dev.ratelimit.ban;

import dev.ratelimit.BanKind;

/**
 * Internal: a ban, mark, or pause of a subject by a rule, with its end, or the lift of
 * one. Immutable.
 *
 * @param rule the rule's id
 * @param subject the subject, canonical
 * @param kind the effect on the subject
 * @param untilMillis the end, in milliseconds of Unix time; 0 if it was lifted
 * @param count the number of consecutive bans, including this one
 * @param atMillis the time at which it was imposed or lifted
 * @param forgottenMillis the time from which it does not make further bans longer
 * @param number the number of the change; the change with the highest number applies
 * @param user the user that imposed or lifted it; empty if strikes did
 */
public record Ban(String rule, String subject, BanKind kind, long untilMillis, int count, long atMillis,
		long forgottenMillis, long number, String user) {

	/**
	 * Return whether the ban has not ended.
	 * @param nowMillis the time
	 * @return whether the ban, mark, or pause still applies
	 */
	boolean isActive(long nowMillis) {
		return this.untilMillis > nowMillis;
	}

}
