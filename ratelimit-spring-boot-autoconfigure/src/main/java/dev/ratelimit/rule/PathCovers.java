package dev.ratelimit.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Internal: an index that finds the patterns that {@linkplain PathCover cover} another
 * pattern, without a comparison with each of them.
 */
public final class PathCovers {

	private static final String ANY = "*";

	private final Map<String, PathCovers> next = new HashMap<>();

	private final List<Integer> rests = new ArrayList<>();

	private final List<Integer> ends = new ArrayList<>();

	/**
	 * Add a pattern.
	 * @param pattern the pattern
	 * @param number the number to return for the pattern; several patterns can have the
	 * same number
	 */
	public void add(String pattern, int number) {
		String[] segments = PathCover.segments(pattern);
		PathCovers node = this;
		for (int i = 0; i < segments.length; i++) {
			if (PathCover.isRest(segments[i])) {
				if (i == segments.length - 1) {
					node.rests.add(number);
				}
				return;
			}
			String segment = (PathCover.isAny(segments[i])) ? ANY : segments[i];
			node = node.next.computeIfAbsent(segment, (key) -> new PathCovers());
		}
		node.ends.add(number);
	}

	/**
	 * Find the patterns that cover another one.
	 * @param specific the other one
	 * @return their numbers, in order
	 */
	public NavigableSet<Integer> of(String specific) {
		NavigableSet<Integer> found = new TreeSet<>();
		find(PathCover.segments(specific), 0, found);
		return found;
	}

	private void find(String[] specific, int at, NavigableSet<Integer> found) {
		found.addAll(this.rests);
		if (at == specific.length) {
			found.addAll(this.ends);
			return;
		}
		if (PathCover.isRest(specific[at])) {
			return;
		}
		find(specific[at], specific, at, found);
		if (!specific[at].isEmpty() && !specific[at].equals(ANY)) {
			find(ANY, specific, at, found);
		}
	}

	private void find(String segment, String[] specific, int at, NavigableSet<Integer> found) {
		PathCovers node = this.next.get(segment);
		if (node != null) {
			node.find(specific, at + 1, found);
		}
	}

}
