package dev.ratelimit.autoconfigure;

import dev.ratelimit.web.Callers;
import dev.ratelimit.web.LevelHeaderCounts;
import dev.ratelimit.web.LevelRule;
import dev.ratelimit.web.Levels;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The levels of requests, as the properties tell them: to the load guard, and to rules
 * that reserve slots.
 */
final class RequestLevels {

	private RequestLevels() {
	}

	static Levels of(LoadProperties load, Callers callers, ObjectProvider<LevelHeaderCounts> counts) {
		String header = load.header();
		if (header == null && load.classify().isEmpty()) {
			return Levels.NONE;
		}
		return new Levels((header != null) ? header : "", load.upstreams(),
				load.classify().stream().map(RequestLevels::rule).toList(), callers.authorities(),
				counts.getIfAvailable(LevelHeaderCounts::new));
	}

	private static LevelRule rule(LoadProperties.Classification entry) {
		String authority = entry.authority();
		return new LevelRule(entry.paths().stream().map(PathPatternParser.defaultInstance::parse).toList(),
				(authority != null) ? authority : "", entry.level(), entry.longLived());
	}

}
