package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Where patterns with equal beginnings go on. Not changed any more once all patterns are
 * in.
 *
 * @param <T> what patterns belong to
 */
final class PathNode<T> {

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

	// The patterns that may match whatever follows, in order.
	List<PathEntry<T>> open() {
		return this.open;
	}

	// The patterns that may match if nothing follows, in order.
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
