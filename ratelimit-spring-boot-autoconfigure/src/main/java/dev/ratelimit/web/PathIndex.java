package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.function.Function;

import dev.ratelimit.engine.CaseFolding;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.Element;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Finds the patterns that may match a path, in their original order. Patterns with a
 * different beginning are not checked. Spring must check whether a returned pattern
 * matches. Patterns that are not returned do not match. Immutable.
 *
 * @param <T> the type of the owners of patterns
 */
final class PathIndex<T> {

	private final PathNode<T> root;

	private final boolean ignoresCase;

	private PathIndex(PathNode<T> root, boolean ignoresCase) {
		this.root = root;
		this.ignoresCase = ignoresCase;
	}

	/**
	 * Index patterns.
	 * @param <T> the type of the owners of patterns
	 * @param values the owners, in order
	 * @param patterns the patterns of each, in order
	 * @param ignoresCase whether the parser of any of the patterns ignores case
	 * @return the index
	 */
	static <T> PathIndex<T> of(Collection<T> values, Function<T, List<PathPattern>> patterns, boolean ignoresCase) {
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
	 * Return the patterns that may match a path.
	 * @param path the path
	 * @return the patterns, without duplicates; must not be changed
	 */
	List<PathEntry<T>> candidates(PathContainer path) {
		return candidates(this.root, path.elements(), 0, List.of());
	}

	// The recursion is not deeper than the patterns.
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

	// Avoids a copy if all patterns are in one list, which is the common case.
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

	/**
	 * A node of the index: the continuations of patterns with equal beginnings. Not
	 * changed after all patterns are added.
	 *
	 * @param <T> the type of the owners of patterns
	 */
	private static final class PathNode<T> {

		private final Map<String, PathNode<T>> literals = new HashMap<>(0);

		private final List<PathEntry<T>> open = new ArrayList<>(0);

		private final List<PathEntry<T>> ends = new ArrayList<>(0);

		private @Nullable PathNode<T> separator;

		private @Nullable PathNode<T> any;

		void add(PathPatternPrefix prefix, PathEntry<T> entry) {
			PathNode<T> node = this;
			for (int i = 0; i < prefix.elements().size(); i++) {
				if (prefix.mayEndEarly() && i == prefix.elements().size() - 1) {
					node.ends.add(entry);
				}
				node = node.next(prefix.elements().get(i));
			}
			((prefix.whole()) ? node.ends : node.open).add(entry);
		}

		private PathNode<T> next(String element) {
			if (element.equals(PathPatternPrefix.SEPARATOR)) {
				this.separator = orNew(this.separator);
				return this.separator;
			}
			if (element.equals(PathPatternPrefix.ANY)) {
				this.any = orNew(this.any);
				return this.any;
			}
			return this.literals.computeIfAbsent(element, (text) -> new PathNode<>());
		}

		private static <T> PathNode<T> orNew(@Nullable PathNode<T> node) {
			return (node != null) ? node : new PathNode<>();
		}

		// The patterns that may match with any rest of the path, in order.
		List<PathEntry<T>> open() {
			return this.open;
		}

		// The patterns that may match only at the end of the path, in order.
		List<PathEntry<T>> ends() {
			return this.ends;
		}

		@Nullable PathNode<T> separator() {
			return this.separator;
		}

		@Nullable PathNode<T> literal(String segment, boolean ignoresCase) {
			if (this.literals.isEmpty()) {
				return null;
			}
			return this.literals.get((ignoresCase) ? CaseFolding.fold(segment) : segment);
		}

		@Nullable PathNode<T> any() {
			return this.any;
		}

	}

	/**
	 * The beginning of a pattern that is compared element by element, as in Spring: up to
	 * the first element that may match other than one segment. Immutable.
	 *
	 * @param elements separators, literals, and wildcards of one segment
	 * @param whole whether it is the whole pattern
	 */
	private record PathPatternPrefix(List<String> elements, boolean whole) {

		static final String SEPARATOR = "/";

		/** The wildcard of one segment. Cannot be the text of a literal. */
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

		// In Spring, such an element includes the preceding separator: /a/** matches /a.
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

		// A variable may have a regular expression without braces. With braces, its end
		// is not determined here.
		private static boolean isAny(String token) {
			return token.equals(ANY)
					|| (token.lastIndexOf('{') == 0 && token.endsWith("}") && !token.startsWith(CAPTURED_REST));
		}

		// A wildcard at the end also matches an empty segment: /a/* matches /a/.
		boolean mayEndEarly() {
			return this.whole && !this.elements.isEmpty() && this.elements.get(this.elements.size() - 1).equals(ANY);
		}

	}

}
