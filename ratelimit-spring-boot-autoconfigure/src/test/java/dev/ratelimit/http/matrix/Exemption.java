package dev.ratelimit.http.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A documented reason for which some rules do not count a request.
 *
 * @param name the name
 * @param reason the reason
 * @param applies the mechanisms that still apply
 */
record Exemption(String name, String reason, String applies) {

	/** All rules count the request. */
	static final Exemption NONE = new Exemption("", "", "`deny`, bans, a seat");

	private static final Path PAGE = Path.of("..", "docs", "concepts", "requests.md");

	private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`|]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$");

	private static final Pattern SEAT = Pattern.compile("\\ba seat\\b(?! of management)");

	/**
	 * Read the table of the documentation.
	 * @return the exemptions by name
	 */
	static Map<String, Exemption> documented() {
		Map<String, Exemption> documented = new TreeMap<>();
		Matcher row = ROW.matcher(section());
		while (row.find()) {
			documented.put(row.group(1), new Exemption(row.group(1), row.group(3).strip(), row.group(4).strip()));
		}
		return documented;
	}

	private static String section() {
		try {
			String page = Files.readString(PAGE);
			int begin = page.indexOf("\n## Exempt requests\n");
			return page.substring(begin, page.indexOf("\n## ", begin + 1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// The request that causes a dispatch is an ordinary request.
	private boolean isOfDispatch() {
		return this.name.equals("dispatch");
	}

	boolean meetsDenyList() {
		// Either all deny lists, or only that of the application, 'ratelimit.deny'.
		return isOfDispatch() || this.applies.contains("deny`");
	}

	boolean meetsBans() {
		return isOfDispatch() || this.applies.contains("bans");
	}

	boolean takesSeat() {
		return isOfDispatch() || SEAT.matcher(this.applies).find();
	}

	/**
	 * Return whether a rule counts the request despite the exemption.
	 * @param rule the rule
	 * @param secured whether an authentication runs between the phases; otherwise, all
	 * rules are late
	 * @return whether the rule counts the request
	 */
	boolean leaves(MatrixRule rule, boolean secured) {
		return switch (this.name) {
			case "" -> true;
			case "dispatch" -> rule.scope() != MatrixRule.Scope.TARGET;
			case "management with credentials" -> secured && rule.early() && rule.scope() == MatrixRule.Scope.ALL;
			default -> false;
		};
	}

}
