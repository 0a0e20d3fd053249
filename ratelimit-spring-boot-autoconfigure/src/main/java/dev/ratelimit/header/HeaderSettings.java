package dev.ratelimit.header;

import java.util.List;

/**
 * Internal: what is told in header fields, and how. Immutable.
 *
 * @param format the format
 * @param names how the fields are called
 * @param onSuccess whether admitted requests are told where they stand
 * @param bucket whether the rule's id is told, where the format has a field for it
 * @param reset what {@code X-RateLimit-Reset} means
 * @param compatParams whether {@code RateLimit} is also readable for parsers of draft 7
 */
public record HeaderSettings(Format format, HeaderNames names, OnSuccess onSuccess, boolean bucket, Reset reset,
		boolean compatParams) {

	/** What is told unless something else is asked for. */
	public static final HeaderSettings DEFAULT = new HeaderSettings(Format.BOTH, HeaderNames.DEFAULT, OnSuccess.ALWAYS,
			false, Reset.EPOCH, false);

	/**
	 * The names of the fields that responses may have.
	 * @return the names
	 */
	public List<String> fieldNames() {
		return headerFormat().names();
	}

	public HeaderFormat headerFormat() {
		HeaderFormat draft = new DraftFormat(this.names, this.compatParams);
		HeaderFormat legacy = new LegacyFormat(this.names, this.bucket, this.reset);
		return switch (this.format) {
			case DRAFT -> draft;
			case LEGACY -> legacy;
			case BOTH -> new JoinedFormat(List.of(draft, legacy));
			case DRAFT_7 -> new Draft7Format(this.names);
			case DRAFT_6 -> new Draft6Format(this.names);
			case NONE -> new JoinedFormat(List.of());
		};
	}

	/**
	 * The formats.
	 */
	public enum Format {

		/** RateLimit and RateLimit-Policy as lists, as in drafts 8 to 11. */
		DRAFT,

		/** X-RateLimit-Limit, -Remaining and -Reset. */
		LEGACY,

		/** Draft and legacy. */
		BOTH,

		/** RateLimit as a dictionary, as in draft 7. */
		DRAFT_7,

		/** RateLimit-Limit, -Remaining and -Reset, as in drafts up to 6. */
		DRAFT_6,

		/** No fields but Retry-After on refusals. */
		NONE

	}

	/**
	 * What a reset says.
	 */
	public enum Reset {

		/** Epoch seconds. */
		EPOCH,

		/** Seconds from now. */
		DELTA

	}

	/**
	 * Whether admitted requests are told where they stand.
	 */
	public enum OnSuccess {

		/** They are. */
		ALWAYS,

		/** Only refused requests are. */
		NEVER,

		/** Unless a shared cache may store the response. */
		WHEN_PRIVATE

	}

}
