package dev.ratelimit.rule;

/**
 * Internal: compares the paths of two patterns.
 */
public final class PathCover {

	private PathCover() {
	}

	/**
	 * Compare two path patterns.
	 * @param general the pattern that may cover the other
	 * @param specific the other pattern
	 * @return whether it is certain that the general pattern matches each path of the
	 * specific pattern
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

	/**
	 * Whether some path may match both patterns.
	 * @param one a pattern
	 * @param other the other pattern
	 * @return false if it is certain that they have no path in common
	 */
	public static boolean mayMeet(String one, String other) {
		String[] first = segments(one);
		String[] second = segments(other);
		for (int i = 0; i < Math.max(first.length, second.length); i++) {
			if ((i < first.length && isRest(first[i])) || (i < second.length && isRest(second[i]))) {
				return true;
			}
			if (i >= first.length || i >= second.length || !mayMeetSegment(first[i], second[i])) {
				return false;
			}
		}
		return true;
	}

	private static boolean mayMeetSegment(String one, String other) {
		return !isLiteral(one) || !isLiteral(other) || one.equalsIgnoreCase(other);
	}

	private static boolean isLiteral(String segment) {
		return segment.chars().noneMatch((character) -> "*?{".indexOf(character) >= 0);
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

	// A variable with a regular expression matches only some segments.
	static boolean isAny(String segment) {
		return segment.equals("*")
				|| (segment.startsWith("{") && segment.endsWith("}") && segment.matches("\\{[A-Za-z0-9_]+}"));
	}

}
