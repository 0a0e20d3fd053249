package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.base.Authorities;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * Internal: requests and their level. Immutable.
 *
 * @param paths the patterns of their paths; empty for all
 * @param authority the authority of their clients; empty for all
 * @param level their level; null if other rules set it
 * @param longLived whether they keep no seat, because they are mostly idle
 */
public record LevelRule(List<PathPattern> paths, String authority, @Nullable Level level, boolean longLived) {

	/** A rule without a level for all requests. */
	static final LevelRule ALL = new LevelRule(List.of(), "", null, false);

	/** The rules by level, for requests whose own rule sets no level. */
	private static final List<LevelRule> PLAIN = List.of(new LevelRule(List.of(), "", Level.CRITICAL, false),
			new LevelRule(List.of(), "", Level.HIGH, false), new LevelRule(List.of(), "", Level.NORMAL, false),
			new LevelRule(List.of(), "", Level.LOW, false));

	LevelRule with(Level other) {
		return (this.longLived) ? new LevelRule(this.paths, this.authority, other, true) : PLAIN.get(other.ordinal());
	}

	public Level requiredLevel() {
		Level level = this.level;
		return (level != null) ? level : Level.NORMAL;
	}

	boolean covers(GateRequest request, Authorities authorities) {
		return (this.paths.isEmpty() || covers(request))
				&& (this.authority.isEmpty() || authorities.of(request).contains(this.authority));
	}

	// The client controls the spelling of a path, so both forms must match.
	private boolean covers(GateRequest request) {
		PathContainer normalized = request.normalizedPath();
		return matches(request.parsedPath()) && (normalized == null || matches(normalized));
	}

	private boolean matches(PathContainer path) {
		for (int i = 0; i < this.paths.size(); i++) {
			if (this.paths.get(i).matches(path)) {
				return true;
			}
		}
		return false;
	}

}
