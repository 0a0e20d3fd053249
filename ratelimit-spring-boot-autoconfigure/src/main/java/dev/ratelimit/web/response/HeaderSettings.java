package dev.ratelimit.web.response;

/**
 * Internal: the settings of header fields. Immutable.
 *
 * @param format the format
 * @param names the names of the fields
 * @param onSuccess whether responses to allowed requests have the fields
 * @param bucket whether the rule's id is disclosed, if the format has a field for it
 * @param reset the form of {@code X-RateLimit-Reset}
 * @param compatParams whether {@code RateLimit} is also readable for parsers of draft 7
 * @param serverTiming whether {@code Server-Timing} shows the time that a request has
 * waited
 */
public record HeaderSettings(Format format, HeaderNames names, OnSuccess onSuccess, boolean bucket, Reset reset,
		boolean compatParams, boolean serverTiming) {

	/** The default settings. */
	public static final HeaderSettings DEFAULT = new HeaderSettings(Format.BOTH, HeaderNames.DEFAULT, OnSuccess.ALWAYS,
			false, Reset.EPOCH, false, false);

	/**
	 * The formats.
	 */
	public enum Format {

		/** RateLimit and RateLimit-Policy as lists, as in drafts 8 to 11. */
		DRAFT,

		/** X-RateLimit-Limit, -Remaining, and -Reset. */
		LEGACY,

		/** Draft and legacy. */
		BOTH,

		/** RateLimit as a dictionary, as in draft 7. */
		DRAFT_7,

		/** RateLimit-Limit, -Remaining, and -Reset, as in drafts up to 6. */
		DRAFT_6,

		/** Only Retry-After on rejections. */
		NONE

	}

	/**
	 * The form of the reset.
	 */
	public enum Reset {

		/** Epoch seconds. */
		EPOCH,

		/** Seconds from now. */
		DELTA

	}

	/**
	 * Whether responses to allowed requests have the fields.
	 */
	public enum OnSuccess {

		/** All responses have the fields. */
		ALWAYS,

		/** Only rejections have the fields. */
		NEVER,

		/**
		 * All responses have the fields, unless a shared cache may store the response.
		 */
		WHEN_PRIVATE

	}

}
