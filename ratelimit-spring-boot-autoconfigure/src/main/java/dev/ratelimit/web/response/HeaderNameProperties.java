package dev.ratelimit.web.response;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import dev.ratelimit.rule.InvalidRuleException;
import org.jspecify.annotations.Nullable;

/**
 * Names of the headers.
 *
 * @param rateLimit Name of the header with the remaining units, in the drafts 7 and
 * later.
 * @param policy Name of the header with the policies, in the drafts.
 * @param limit Name of the header with the capacity.
 * @param remaining Name of the header with the remaining units.
 * @param reset Name of the header with the reset time.
 * @param bucket Name of the header with the rule's id.
 * @since 0.1.0
 */
record HeaderNameProperties(@Nullable String rateLimit, @Nullable String policy, @Nullable String limit,
		@Nullable String remaining, @Nullable String reset, @Nullable String bucket) {

	private static final String PREFIX = "ratelimit.headers.names.";

	/** A token of RFC 9110. */
	private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}");

	/**
	 * The headers that the limiter must not write, or that it writes with another
	 * meaning.
	 */
	private static final Set<String> RESERVED = Set.of("cache-control", "connection", "content-encoding",
			"content-length", "content-type", "date", "location", "retry-after", "set-cookie", "trailer",
			"transfer-encoding", "vary");

	HeaderNames over(HeaderNames names) {
		return new HeaderNames(or(this.rateLimit, names.rateLimit()), or(this.policy, names.policy()),
				or(this.limit, names.limit()), or(this.remaining, names.remaining()), or(this.reset, names.reset()),
				or(this.bucket, names.bucket()));
	}

	/**
	 * Reject invalid names.
	 * @param used the names of the fields of the format
	 */
	void check(List<String> used) {
		written().forEach((property, name) -> {
			require(TOKEN.matcher(name).matches(), property, name, "it is not a header name",
					"Use letters, digits, and dashes, at most 64.");
			require(!RESERVED.contains(name.toLowerCase(Locale.ROOT)), property, name,
					"this header has another meaning", "Choose another name.");
			require(used.contains(name), property, name, "the format does not contain this header",
					"Remove the property, or change 'ratelimit.headers.format'. Its headers are " + used + ".");
			require(used.stream().filter(name::equalsIgnoreCase).count() == 1, property, name,
					"another header has the same name", "Set a different name for each header.");
		});
	}

	private Map<String, String> written() {
		Map<String, String> names = new LinkedHashMap<>();
		put(names, "rate-limit", this.rateLimit);
		put(names, "policy", this.policy);
		put(names, "limit", this.limit);
		put(names, "remaining", this.remaining);
		put(names, "reset", this.reset);
		put(names, "bucket", this.bucket);
		return names;
	}

	private static void put(Map<String, String> names, String property, @Nullable String name) {
		if (name != null) {
			names.put(property, name);
		}
	}

	private static String or(@Nullable String own, String other) {
		return (own != null) ? own : other;
	}

	private static void require(boolean condition, String name, String value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException(PREFIX + name, value, reason, action);
		}
	}

}
