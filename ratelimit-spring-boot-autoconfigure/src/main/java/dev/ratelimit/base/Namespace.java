package dev.ratelimit.base;

import java.util.List;

import dev.ratelimit.rule.PathCover;

/**
 * The rules of a team. Immutable.
 *
 * @param team the name of the team
 * @param prefix what the ids of its rules and the names of its buckets start with
 * @param paths path patterns that its live rules stay within
 * @param authorities the authorities that may change its rules
 */
record Namespace(String team, String prefix, List<String> paths, List<String> authorities) {

	Namespace {
		paths = List.copyOf(paths);
		authorities = List.copyOf(authorities);
	}

	boolean covers(String path) {
		return this.paths.stream().anyMatch((own) -> PathCover.covers(own, path));
	}

}
