package dev.ratelimit.api;

import java.util.Optional;

import dev.ratelimit.live.RuleDocument;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a write, from {@code If-Match} and {@code If-None-Match} (RFC 9110).
 * The entity tag of an entry is the version that last changed it.
 *
 * @param present whether there must be an entry
 * @param revision the version that must have last changed it; empty for any
 */
record EntryCondition(boolean present, Optional<Long> revision) {

	private static final String ANY = "*";

	private static final int PRECONDITION_FAILED = 412;

	private static final int PRECONDITION_REQUIRED = 428;

	static EntryCondition parse(@Nullable String ifMatch, @Nullable String ifNoneMatch) {
		if (ifMatch != null && ifNoneMatch != null) {
			throw ApiException.badRequest("keep one of If-Match and If-None-Match");
		}
		if (ifMatch != null) {
			String tag = ifMatch.trim();
			return new EntryCondition(true, (tag.equals(ANY)) ? Optional.empty() : Optional.of(version(tag)));
		}
		if (ifNoneMatch == null) {
			throw new ApiException(PRECONDITION_REQUIRED,
					"set If-Match to the ETag that you have read, or If-None-Match: * for a new entry");
		}
		if (!ifNoneMatch.trim().equals(ANY)) {
			throw ApiException.badRequest("If-None-Match must be *");
		}
		return new EntryCondition(false, Optional.empty());
	}

	// Weak tags are accepted, because proxies that compress responses make tags weak.
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

	void require(String rule, Optional<RuleDocument> document) {
		Optional<Long> found = revision(rule, document);
		boolean fulfilled = found.isPresent() == this.present
				&& (this.revision.isEmpty() || found.equals(this.revision));
		if (!fulfilled) {
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
