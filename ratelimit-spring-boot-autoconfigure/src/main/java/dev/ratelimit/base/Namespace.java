package dev.ratelimit.base;

import java.util.List;

import dev.ratelimit.rule.PathCover;

/**
 * The rules of a team. Immutable.
 *
 * @param team the name of the team
 * @param prefix the prefix of the ids of its rules and of the names of its buckets
 * @param paths the path patterns that must contain the paths of its live rules
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
