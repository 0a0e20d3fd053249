package dev.ratelimit.ban;

/**
 * Internal: the outcome of a request to impose a ban. Immutable.
 *
 * @param result the outcome
 * @param ban the active ban, mark, or pause of the subject; meaningless for other results
 * than imposed and kept
 */
public record BanReply(Result result, Ban ban) {

	/**
	 * The possible outcomes.
	 */
	public enum Result {

		/** The ban, mark, or pause was imposed. */
		IMPOSED,
		/** The subject is banned already. */
		KEPT,
		/** There were too many bans in this minute. */
		BRAKED,
		/** There are too many bans. */
		FULL

	}

}
