package dev.ratelimit.client;

import java.time.Duration;
import java.util.List;

/**
 * A quota for the requests that this application sends: requests to some URLs charge a
 * rule before they are sent. All instances that share the store share the quota.
 * Immutable.
 *
 * @param name the name of the quota, which messages use
 * @param urls patterns of URLs, such as {@code https://api.partner.com/**}; at least one
 * @param rule the id of the rule, whose key is {@code global}
 * @param maxWait maximum time that a request waits for units of the rule, or for the end
 * of its pause, from 0 to 1 hour; 0 rejects it at once
 * @param maxPause maximum time that a rejection by the server pauses the rule, from 0 to
 * 24 hours; 0 never pauses it
 * @since 0.1.0
 */
public record Quota(String name, List<String> urls, String rule, Duration maxWait, Duration maxPause) {

	/** The subject of all charges: the key of the rule is {@code global}. */
	static final String SUBJECT = "global";

	private static final Duration MAX_WAIT = Duration.ofHours(1);

	private static final Duration MAX_PAUSE = Duration.ofDays(1);

	public Quota {
		urls = List.copyOf(urls);
		InvalidQuotaException.require(!urls.isEmpty(), name, "urls", urls, "it must not be empty");
		InvalidQuotaException.require(!rule.isBlank(), name, "rule", rule, "it must be the id of a rule");
		InvalidQuotaException.require(isUpTo(maxWait, MAX_WAIT), name, "max-wait", maxWait,
				"it must be between 0 and 1 h");
		InvalidQuotaException.require(isUpTo(maxPause, MAX_PAUSE), name, "max-pause", maxPause,
				"it must be between 0 and 24 h");
		urls.forEach((url) -> UrlPattern.parse(name, url));
	}

	private static boolean isUpTo(Duration duration, Duration longest) {
		return !duration.isNegative() && duration.compareTo(longest) <= 0;
	}

}
