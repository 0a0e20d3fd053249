package dev.ratelimit.candidate;

/**
 * Internal: the difference between the decisions of a candidate's rule and of the active
 * rule on a request.
 */
public enum CandidateDifference {

	/** Both allow, or both reject. */
	SAME("same", "same"),

	/** Only the candidate rejects. */
	WOULD_REJECT("wouldReject", "would_reject"),

	/** Only the active rule rejects. */
	WOULD_ALLOW("wouldAllow", "would_allow"),

	/** The decisions were not compared. */
	SKIPPED("skipped", "skipped");

	private final String field;

	private final String tag;

	CandidateDifference(String field, String tag) {
		this.field = field;
		this.tag = tag;
	}

	static CandidateDifference of(boolean activeRejects, boolean candidateRejects) {
		if (activeRejects == candidateRejects) {
			return SAME;
		}
		return (candidateRejects) ? WOULD_REJECT : WOULD_ALLOW;
	}

	/**
	 * Return the name of the difference in JSON and in Redis.
	 * @return the name
	 */
	String field() {
		return this.field;
	}

	/**
	 * Return the name of the difference as a tag of meters.
	 * @return the name
	 */
	String tag() {
		return this.tag;
	}

}
