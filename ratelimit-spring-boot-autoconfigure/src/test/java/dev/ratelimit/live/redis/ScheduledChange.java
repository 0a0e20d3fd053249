package dev.ratelimit.live.redis;

/**
 * What a user of a schedule did, and what the response was.
 *
 * @param instance the instance that was called
 * @param register what was changed: a rule, a switch, or the bans of a subject
 * @param value what it was to be; empty for nothing
 * @param outcome what the response said
 * @param begunNanos when the call was made
 * @param endedNanos when the response came
 */
record ScheduledChange(int instance, String register, String value, Outcome outcome, long begunNanos, long endedNanos) {

	/** A rule, which is part of the one document. */
	static final String RULE = "rule ";

	boolean isOfDocument() {
		return this.register.startsWith(RULE);
	}

	boolean isInForceOrUnknown() {
		return this.outcome == Outcome.DONE || this.outcome == Outcome.HERE || this.outcome == Outcome.UNKNOWN;
	}

	/**
	 * What a response says.
	 */
	enum Outcome {

		/** The change is made, for all instances. */
		DONE,
		/** The change is made here, and for the others once Redis responds. */
		HERE,
		/** There was nothing to change, or another user was faster. */
		REJECTED,
		/** Redis was too late, or its reply was lost. */
		UNKNOWN

	}

}
