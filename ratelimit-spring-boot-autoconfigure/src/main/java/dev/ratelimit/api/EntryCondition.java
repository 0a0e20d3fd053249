package dev.ratelimit.api;

import java.util.Optional;

import dev.ratelimit.live.RuleDocument;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a write, from {@code If-Match} and {@code If-None-Match} (RFC 9110).
 * An entity tag is the version that changed the entry last.
 *
 * @param revision the version; empty if there must be no entry
 */
record EntryCondition(Optional<Long> revision) {

	private static final int PRECONDITION_FAILED = 412;

	private static final int PRECONDITION_REQUIRED = 428;

	static EntryCondition parse(@Nullable String ifMatch, @Nullable String ifNoneMatch) {
		if (ifMatch != null && ifNoneMatch != null) {
			throw ApiException.badRequest("keep one of If-Match and If-None-Match");
		}
		if (ifMatch != null) {
			return new EntryCondition(Optional.of(version(ifMatch.trim())));
		}
		if (ifNoneMatch == null) {
			throw new ApiException(PRECONDITION_REQUIRED,
					"set If-Match to the ETag that you have read, or If-None-Match: * for a new entry");
		}
		if (!ifNoneMatch.trim().equals("*")) {
			throw ApiException.badRequest("If-None-Match must be *");
		}
		return new EntryCondition(Optional.empty());
	}

	// A proxy that compresses responses makes tags weak.
	private static long version(String tag) {
		String strong = (tag.startsWith("W/")) ? tag.substring(2) : tag;
		if (!strong.matches("\"[0-9]{1,18}\"")) {
			throw new ApiException(PRECONDITION_FAILED, "If-Match is not an ETag of this API");
		}
		return Long.parseLong(strong.substring(1, strong.length() - 1));
	}

	static String tag(long version) {
		return "\"" + version + "\"";
	}

	void require(String rule, Optional<RuleDocument> present) {
		Optional<Long> found = revision(rule, present);
		if (!found.equals(this.revision)) {
			throw new ApiException(PRECONDITION_FAILED, "the entry of the rule '" + rule + "' "
					+ found.map((version) -> "was changed in version " + version).orElse("does not exist"));
		}
	}

	static Optional<Long> revision(String rule, Optional<RuleDocument> present) {
		return present.filter((document) -> document.rules().containsKey(rule))
			.map((document) -> Optional.ofNullable(document.revisions().get(rule))
				.map((revision) -> revision.version())
				.orElse(document.version()));
	}

}
