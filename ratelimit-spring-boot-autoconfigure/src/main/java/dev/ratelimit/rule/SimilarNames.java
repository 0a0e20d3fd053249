package dev.ratelimit.rule;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * Internal: finds the existing name that is most similar to a misspelled name.
 */
public final class SimilarNames {

	private SimilarNames() {
	}

	/**
	 * The end of a message about a name that does not exist.
	 * @param name the name
	 * @param names the existing names
	 * @return such as {@code ; did you mean 'limit'?}, or an empty text
	 */
	public static String hint(String name, Collection<String> names) {
		return nearest(name, names).map((found) -> "; did you mean '" + found + "'?").orElse("");
	}

	/**
	 * Return the most similar name, which differs in one character or in at most a third
	 * of its characters. Case and separators do not count.
	 * @param name the name, of any length
	 * @param names the existing names
	 * @return the name, if there is one
	 */
	public static Optional<String> nearest(String name, Collection<String> names) {
		String written = plain(name);
		return names.stream()
			.filter((candidate) -> Math.abs(plain(candidate).length() - written.length()) <= 2)
			.filter((candidate) -> distance(written, plain(candidate)) <= Math.max(1, written.length() / 3))
			.min(Comparator.comparingInt((candidate) -> distance(written, plain(candidate))));
	}

	private static String plain(String name) {
		return name.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
	}

	// The edit distance, where a swap of two adjacent characters counts once (Damerau
	// 1964, optimal string alignment).
	private static int distance(String one, String other) {
		int[][] distances = new int[one.length() + 1][other.length() + 1];
		for (int i = 0; i <= one.length(); i++) {
			for (int j = 0; j <= other.length(); j++) {
				distances[i][j] = (i == 0 || j == 0) ? i + j
						: Math.min(Math.min(distances[i - 1][j], distances[i][j - 1]) + 1,
								distances[i - 1][j - 1] + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1));
				if (i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2)
						&& one.charAt(i - 2) == other.charAt(j - 1)) {
					distances[i][j] = Math.min(distances[i][j], distances[i - 2][j - 2] + 1);
				}
			}
		}
		return distances[one.length()][other.length()];
	}

}
