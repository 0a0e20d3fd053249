package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

import org.springframework.web.util.pattern.PathPattern;

/**
 * The beginning of a pattern that is compared element by element, as Spring does: up to
 * the first element that may match anything else than one segment. Immutable.
 *
 * @param elements separators, literals, and wildcards of one segment
 * @param whole whether that is the whole pattern
 */
record PathPatternPrefix(List<String> elements, boolean whole) {

	static final String SEPARATOR = "/";

	/** A segment, whatever it holds. Cannot be the text of a literal. */
	static final String ANY = "*";

	private static final String CAPTURED_REST = "{*";

	static PathPatternPrefix of(PathPattern pattern, boolean ignoresCase) {
		List<String> elements = new ArrayList<>();
		StringTokenizer tokens = new StringTokenizer(pattern.getPatternString(), SEPARATOR, true);
		while (tokens.hasMoreTokens()) {
			String token = tokens.nextToken();
			if (isAny(token)) {
				elements.add(ANY);
			}
			else if (isLiteral(token)) {
				elements.add((ignoresCase) ? CaseFolding.fold(token) : token);
			}
			else {
				return new PathPatternPrefix(beforeRest(elements, token), false);
			}
		}
		return new PathPatternPrefix(elements, true);
	}

	// Spring takes such an element with the separator before it: /a/** matches /a.
	private static List<String> beforeRest(List<String> elements, String token) {
		boolean rest = token.equals("**") || token.startsWith(CAPTURED_REST);
		return (rest && !elements.isEmpty()) ? elements.subList(0, elements.size() - 1) : elements;
	}

	private static boolean isLiteral(String token) {
		for (int i = 0; i < token.length(); i++) {
			if ("*?{}".indexOf(token.charAt(i)) >= 0) {
				return false;
			}
		}
		return true;
	}

	// A variable may have an expression, but no braces in it: which one ends it is for
	// Spring to say.
	private static boolean isAny(String token) {
		return token.equals(ANY)
				|| (token.lastIndexOf('{') == 0 && token.endsWith("}") && !token.startsWith(CAPTURED_REST));
	}

	// The last one also matches no segment at all: /a/* matches /a/.
	boolean mayEndEarly() {
		return this.whole && !this.elements.isEmpty() && this.elements.get(this.elements.size() - 1).equals(ANY);
	}

}
