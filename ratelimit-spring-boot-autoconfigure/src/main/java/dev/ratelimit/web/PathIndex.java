package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.Element;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Internal: finds the patterns that may match a path, in the order in which they were
 * given. Patterns that begin otherwise cost nothing. A pattern that is found may still
 * not match: Spring says so. A pattern that is not found never matches. Immutable.
 *
 * @param <T> what patterns belong to
 */
public final class PathIndex<T> {

	private final PathNode<T> root;

	private final boolean ignoresCase;

	private PathIndex(PathNode<T> root, boolean ignoresCase) {
		this.root = root;
		this.ignoresCase = ignoresCase;
	}

	/**
	 * Index patterns.
	 * @param <T> what patterns belong to
	 * @param values what they belong to, in order
	 * @param patterns the patterns of each, in order
	 * @param ignoresCase whether the parser of any of the patterns ignores case
	 * @return the index
	 */
	public static <T> PathIndex<T> of(Collection<T> values, Function<T, List<PathPattern>> patterns,
			boolean ignoresCase) {
		PathNode<T> root = new PathNode<>();
		int position = 0;
		for (T value : values) {
			for (PathPattern pattern : patterns.apply(value)) {
				root.add(PathPatternPrefix.of(pattern, ignoresCase), new PathEntry<>(position++, pattern, value));
			}
		}
		return new PathIndex<>(root, ignoresCase);
	}

	/**
	 * The patterns that may match a path.
	 * @param path the path
	 * @return the patterns, each once; not to be changed
	 */
	public List<PathEntry<T>> candidates(PathContainer path) {
		return candidates(this.root, path.elements(), 0, List.of());
	}

	// Goes no deeper than the patterns.
	private List<PathEntry<T>> candidates(PathNode<T> node, List<Element> path, int at, List<PathEntry<T>> before) {
		List<PathEntry<T>> found = join(before, node.open());
		if (at == path.size()) {
			return join(found, node.ends());
		}
		if (!(path.get(at) instanceof PathSegment segment)) {
			PathNode<T> separator = node.separator();
			return (separator != null) ? candidates(separator, path, at + 1, found) : found;
		}
		PathNode<T> literal = node.literal(segment.valueToMatch(), this.ignoresCase);
		if (literal != null) {
			found = candidates(literal, path, at + 1, found);
		}
		PathNode<T> any = node.any();
		return (any != null) ? candidates(any, path, at + 1, found) : found;
	}

	// Mostly, all are found in one place, and nothing is copied.
	private static <T> List<PathEntry<T>> join(List<PathEntry<T>> one, List<PathEntry<T>> other) {
		if (one.isEmpty() || other.isEmpty()) {
			return (one.isEmpty()) ? other : one;
		}
		List<PathEntry<T>> joined = new ArrayList<>(one.size() + other.size());
		int next = 0;
		for (int i = 0; i < one.size(); i++) {
			while (next < other.size() && other.get(next).position() < one.get(i).position()) {
				joined.add(other.get(next++));
			}
			joined.add(one.get(i));
		}
		joined.addAll(other.subList(next, other.size()));
		return joined;
	}

}
