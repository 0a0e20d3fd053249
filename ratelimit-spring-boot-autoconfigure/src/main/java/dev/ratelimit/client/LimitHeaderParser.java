package dev.ratelimit.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.springframework.http.HttpHeaders;

/**
 * Reads from {@code RateLimit} whether a server has nothing left, and for how long. What
 * cannot be read is passed over, as the draft demands of clients.
 *
 * @see <a href=
 * "https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
 * header fields for HTTP</a>
 */
final class LimitHeaderParser {

	private static final String FIELD = "RateLimit";

	private static final int MOST_CHARACTERS = 4096;

	private static final int MOST_ITEMS = 32;

	/** Of the largest integer of structured fields (RFC 9651). */
	private static final int MOST_DIGITS = 15;

	private static final long NONE = -1;

	private LimitHeaderParser() {
	}

	/**
	 * How long a server has nothing left, by the policy that holds longest.
	 * @param headers of the response
	 * @return the pause, or nothing if there is something left or nobody knows
	 */
	static Optional<Duration> pause(HttpHeaders headers) {
		if (!headers.containsHeader(FIELD) || fromCache(headers)) {
			return Optional.empty();
		}
		String list = String.join(",", headers.getOrEmpty(FIELD));
		long longest = 0;
		for (String item : (list.length() > MOST_CHARACTERS) ? List.<String>of() : split(list, ',', MOST_ITEMS)) {
			longest = Math.max(longest, seconds(split(item, ';', MOST_ITEMS)));
		}
		return (longest > 0) ? Optional.of(Duration.ofSeconds(Math.min(longest, RetryAfter.LONGEST.toSeconds())))
				: Optional.empty();
	}

	// It says what was left when the response was stored.
	private static boolean fromCache(HttpHeaders headers) {
		String age = headers.getFirst(HttpHeaders.AGE);
		return age != null && number(age.trim()) != 0;
	}

	private static long seconds(List<String> parts) {
		long left = NONE;
		long seconds = NONE;
		for (int i = 1; i < parts.size(); i++) {
			String part = parts.get(i).trim();
			left = (part.startsWith("r=")) ? number(part.substring(2)) : left;
			seconds = (part.startsWith("t=")) ? number(part.substring(2)) : seconds;
		}
		return (left == 0) ? seconds : NONE;
	}

	private static long number(String text) {
		boolean digits = !text.isEmpty() && text.length() <= MOST_DIGITS
				&& text.chars().allMatch((digit) -> digit >= '0' && digit <= '9');
		return (digits) ? Long.parseLong(text) : NONE;
	}

	// The parts between separators that are not quoted; none if a quote does not end.
	private static List<String> split(String text, char separator, int most) {
		List<String> parts = new ArrayList<>();
		boolean quoted = false;
		int start = 0;
		for (int i = 0; i < text.length() && parts.size() < most; i++) {
			char next = text.charAt(i);
			if (next == '\\' && quoted) {
				i++;
			}
			else if (next == '"') {
				quoted = !quoted;
			}
			else if (next == separator && !quoted) {
				parts.add(text.substring(start, i));
				start = i + 1;
			}
		}
		if (parts.size() < most) {
			parts.add(text.substring(start));
		}
		return (quoted) ? List.of() : parts;
	}

}
