package dev.ratelimit.web.response;

/**
 * Internal: the names of the header fields. Immutable. A format uses some of them.
 *
 * @param rateLimit the field of remaining units, in the drafts
 * @param policy the field of policies, in the drafts
 * @param limit the field with only the capacity
 * @param remaining the field with only the remaining units
 * @param reset the field with only the reset
 * @param bucket the field of the rule's id
 */
public record HeaderNames(String rateLimit, String policy, String limit, String remaining, String reset,
		String bucket) {

	/** The names of draft 6. */
	public static final HeaderNames DRAFT_6 = of("RateLimit-");

	/** The names of all other formats. */
	public static final HeaderNames DEFAULT = of("X-RateLimit-");

	private static HeaderNames of(String prefix) {
		return new HeaderNames("RateLimit", "RateLimit-Policy", prefix + "Limit", prefix + "Remaining",
				prefix + "Reset", "X-RateLimit-Bucket");
	}

}
