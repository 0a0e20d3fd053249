package dev.ratelimit.web;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.springframework.util.function.SingletonSupplier;

/**
 * Paths that are never counted: the management endpoints'. Immutable.
 *
 * @since 0.1.0
 */
public final class Exemptions {

	/** Nothing is exempt. */
	public static final Exemptions NONE = new Exemptions(List::of);

	private final Supplier<List<String>> paths;

	private final Supplier<Set<String>> pages;

	/**
	 * Exempt paths.
	 * @param paths the paths, each with all that is below it; asked for once, on the
	 * first request
	 */
	public Exemptions(Supplier<List<String>> paths) {
		this(paths, Set::of);
	}

	/**
	 * Exempt paths and pages.
	 * @param paths the paths, each with all that is below it; asked for once, on the
	 * first request
	 * @param pages paths without what is below them; asked for once
	 */
	public Exemptions(Supplier<List<String>> paths, Supplier<Set<String>> pages) {
		this.paths = SingletonSupplier.of(paths);
		this.pages = SingletonSupplier.of(pages);
	}

	boolean covers(GateRequest request) {
		String path = request.path();
		if (this.pages.get().contains(path)) {
			return true;
		}
		List<String> exempt = this.paths.get();
		for (int i = 0; i < exempt.size(); i++) {
			if (isBelow(path, exempt.get(i))) {
				// Dots would lead out of it again.
				return !path.contains("..") && path.indexOf('%') < 0;
			}
		}
		return false;
	}

	private static boolean isBelow(String path, String parent) {
		return path.startsWith(parent) && (path.length() == parent.length() || path.charAt(parent.length()) == '/');
	}

}
