package dev.ratelimit.rule;

/**
 * Internal: whether every path of one pattern is one of another. Where that is not
 * certain, the answer is no.
 */
public final class PathCover {

	private PathCover() {
	}

	/**
	 * Compare two path patterns.
	 * @param general the pattern that may cover the other
	 * @param specific the other pattern
	 * @return whether it is certain that each path of the other is one of this
	 */
	public static boolean covers(String general, String specific) {
		String[] wide = segments(general);
		String[] narrow = segments(specific);
		for (int i = 0; i < wide.length; i++) {
			if (isRest(wide[i]) && i == wide.length - 1) {
				return true;
			}
			if (i == narrow.length || !coversSegment(wide[i], narrow[i])) {
				return false;
			}
		}
		return wide.length == narrow.length;
	}

	static String[] segments(String pattern) {
		return pattern.split("/", -1);
	}

	private static boolean coversSegment(String wide, String narrow) {
		if (isRest(wide) || isRest(narrow)) {
			return false;
		}
		return wide.equals(narrow) || (isAny(wide) && !narrow.isEmpty());
	}

	static boolean isRest(String segment) {
		return segment.equals("**") || segment.startsWith("{*");
	}

	// A variable with an expression takes some segments alone.
	static boolean isAny(String segment) {
		return segment.equals("*")
				|| (segment.startsWith("{") && segment.endsWith("}") && segment.matches("\\{[A-Za-z0-9_]+}"));
	}

}
