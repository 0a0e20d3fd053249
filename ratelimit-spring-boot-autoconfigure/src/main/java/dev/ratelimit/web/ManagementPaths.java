package dev.ratelimit.web;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.springframework.http.server.PathContainer;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Internal: the paths of management, whose requests are not counted. Immutable.
 */
public final class ManagementPaths {

	/** No path of management. */
	public static final ManagementPaths NONE = new ManagementPaths(() -> new Patterns(List.of(), List.of()));

	private final Supplier<Served> served;

	/**
	 * Create the paths of patterns.
	 * @param patterns provides the patterns of the handlers of management; called once,
	 * at the first request, when all handlers exist
	 */
	public ManagementPaths(Supplier<Patterns> patterns) {
		this.served = SingletonSupplier.of(() -> Served.of(patterns.get()));
	}

	boolean covers(GateRequest request) {
		Served current = this.served.get();
		return isNear(current, request.path()) && covers(current.patterns.all(), request);
	}

	/**
	 * Return whether a request is a health check, which must not be rejected.
	 * @param request the request
	 * @return whether the health handlers of management serve it
	 */
	boolean coversHealth(GateRequest request) {
		Served current = this.served.get();
		return isNear(current, request.path()) && covers(current.patterns.health(), request);
	}

	// Paths in another spelling are not recognized and therefore counted; monitoring
	// clients do not use them.
	private static boolean isNear(Served served, String path) {
		for (String beginning : served.beginnings) {
			if (path.startsWith(beginning)) {
				return true;
			}
		}
		return false;
	}

	// If the server may normalize the path, the normalized path must also match.
	private static boolean covers(List<PathPattern> patterns, GateRequest request) {
		if (!matches(patterns, request.parsedPath())) {
			return false;
		}
		PathContainer normalized = request.normalizedPath();
		return normalized == null || matches(patterns, normalized);
	}

	private static boolean matches(List<PathPattern> patterns, PathContainer path) {
		for (int i = 0; i < patterns.size(); i++) {
			if (patterns.get(i).matches(path)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The patterns of the paths that management serves.
	 *
	 * @param all all patterns
	 * @param health the patterns of health
	 */
	public record Patterns(List<PathPattern> all, List<PathPattern> health) {
	}

	/**
	 * Patterns, and the beginnings of the paths that they can match.
	 *
	 * @param patterns the patterns
	 * @param beginnings the beginnings, such as {@code /actuator}
	 */
	private record Served(Patterns patterns, String[] beginnings) {

		static Served of(Patterns patterns) {
			return new Served(patterns,
					Stream.concat(patterns.all().stream(), patterns.health().stream())
						.map((pattern) -> beginning(pattern.getPatternString()))
						.distinct()
						.toArray(String[]::new));
		}

		// The literal beginning of the first segment.
		private static String beginning(String pattern) {
			int end = 1;
			while (end < pattern.length() && "/{*?".indexOf(pattern.charAt(end)) < 0) {
				end++;
			}
			return pattern.substring(0, Math.min(end, pattern.length()));
		}

	}

}
