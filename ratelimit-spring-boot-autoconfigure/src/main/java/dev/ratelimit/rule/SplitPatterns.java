package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.List;

/**
 * Internal: path patterns in lists that property binding has split.
 */
public final class SplitPatterns {

	private SplitPatterns() {
	}

	// Property binding splits a list in one text at every comma, also inside {1,3}.
	public static List<String> rejoined(List<String> patterns) {
		List<String> whole = new ArrayList<>();
		StringBuilder open = new StringBuilder();
		for (String part : patterns) {
			open.append((open.isEmpty()) ? "" : ",").append(part);
			if (count(open, '{') <= count(open, '}')) {
				whole.add(open.toString());
				open.setLength(0);
			}
		}
		if (!open.isEmpty()) {
			whole.add(open.toString());
		}
		return List.copyOf(whole);
	}

	private static long count(CharSequence text, char character) {
		return text.chars().filter((candidate) -> candidate == character).count();
	}

}
