package dev.ratelimit.ban;

/**
 * Internal: what became of an order. Immutable.
 *
 * @param result what became of it
 * @param ban what the rule does with the subject now; meaningless unless imposed
 */
public record BanReply(Result result, Ban ban) {

	/**
	 * What became of an order.
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
