package dev.ratelimit.actuate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

import dev.ratelimit.web.ExplainRequest;
import org.jspecify.annotations.Nullable;

/**
 * What an operator says of a request, as it came: nothing of it is checked yet.
 *
 * @param method the method
 * @param path the path and the query
 * @param user the user's name
 * @param ip the peer's address
 * @param headers headers as {@code name:value}
 * @param plan the plan
 */
record ExplainParameters(@Nullable String method, @Nullable String path, @Nullable String user, @Nullable String ip,
		@Nullable List<String> headers, @Nullable String plan) {

	private static final Pattern METHOD = Pattern.compile("[A-Za-z]{1,20}");

	private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}:.*");

	private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:.%\\[\\]a-z]{2,64}");

	private static final int LONGEST = 2048;

	private static final int MOST_HEADERS = 32;

	/**
	 * The request that is asked about.
	 * @return the request
	 * @throws IllegalArgumentException if there is no such request; the message says what
	 * to write
	 */
	ExplainRequest enquiry() {
		String verb = (this.method != null) ? this.method : "GET";
		require(METHOD.matcher(verb).matches(), "method: up to 20 letters, such as GET");
		require(this.path != null && this.path.startsWith("/") && isBounded(this.path),
				"path: the path after the context path, starting with '/', at most " + LONGEST
						+ " characters, such as /api/search?q=x");
		require(this.ip == null || ADDRESS.matcher(this.ip).matches(), "ip: an address, such as 203.0.113.7 or ::1");
		require(isBounded(this.user) && isBounded(this.plan), "user, plan: at most " + LONGEST + " characters");
		return new ExplainRequest(verb.toUpperCase(Locale.ROOT), String.valueOf(this.path), byName(),
				Optional.ofNullable(this.ip).orElse(""),
				Optional.ofNullable(this.user).filter((name) -> !name.isEmpty()), Optional.ofNullable(this.plan));
	}

	private static boolean isBounded(@Nullable String text) {
		return text == null || (text.length() <= LONGEST && text.chars().noneMatch(Character::isISOControl));
	}

	private Map<String, List<String>> byName() {
		Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		for (String line : lines()) {
			int colon = line.indexOf(':');
			byName.computeIfAbsent(line.substring(0, colon), (name) -> new ArrayList<>())
				.add(line.substring(colon + 1).trim());
		}
		return byName;
	}

	// One header alone arrives split at its commas.
	private List<String> lines() {
		List<String> lines = new ArrayList<>();
		for (String part : (this.headers != null) ? this.headers : List.<String>of()) {
			require(isBounded(part), "header: at most " + LONGEST + " characters each");
			if (HEADER.matcher(part).matches() || lines.isEmpty()) {
				lines.add(part);
			}
			else {
				lines.set(lines.size() - 1, lines.get(lines.size() - 1) + ", " + part);
			}
		}
		require(lines.size() <= MOST_HEADERS, "header: at most " + MOST_HEADERS);
		require(lines.stream().allMatch((line) -> HEADER.matcher(line).matches()),
				"header: name:value, such as X-Api-Key:abc");
		return lines;
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}
