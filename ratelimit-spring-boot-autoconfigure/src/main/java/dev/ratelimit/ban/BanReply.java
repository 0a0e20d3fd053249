package dev.ratelimit.ban;

/**
 * Internal: the outcome of a request to impose a ban. Immutable.
 *
 * @param result the outcome
 * @param ban what the rule does with the subject now; meaningless unless imposed
 */
public record BanReply(Result result, Ban ban) {

	/**
	 * The outcomes.
	 */
	public enum Result {

		/** It was imposed. */
		IMPOSED,
		/** The subject is banned already. */
		KEPT,
		/** There were too many bans in this minute. */
		BRAKED,
		/** There are too many bans. */
		FULL

	}

}
