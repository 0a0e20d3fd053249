package dev.ratelimit.autoconfigure;

import dev.ratelimit.doctor.LevelHeaderCheck;
import dev.ratelimit.web.Callers;
import dev.ratelimit.web.LevelHeaderCounts;
import dev.ratelimit.web.LevelRule;
import dev.ratelimit.web.Levels;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The header with the level of requests. Levels matter to the load guard, and to rules
 * that reserve slots.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("ratelimit.load.header")
final class LevelHeaderConfiguration {

	@Bean
	LevelHeaderCounts rateLimitLevelHeaderCounts() {
		return new LevelHeaderCounts();
	}

	@Bean
	LevelHeaderCheck rateLimitLevelHeaderCheck(RateLimitProperties properties, LevelHeaderCounts counts) {
		LoadProperties load = properties.load();
		return new LevelHeaderCheck(String.valueOf(load.header()), load.trustedUpstreams(), load.localUpstreams(),
				counts);
	}

	/**
	 * What tells how important requests are.
	 * @param load what is configured
	 * @param callers reads authorities
	 * @param counts counts requests with the header
	 * @return the levels
	 */
	static Levels levels(LoadProperties load, Callers callers, ObjectProvider<LevelHeaderCounts> counts) {
		String header = load.header();
		if (header == null && load.classify().isEmpty()) {
			return Levels.NONE;
		}
		return new Levels((header != null) ? header : "", load.upstreams(),
				load.classify().stream().map(LevelHeaderConfiguration::rule).toList(), callers.authorities(),
				counts.getIfAvailable(LevelHeaderCounts::new));
	}

	private static LevelRule rule(LoadProperties.Classification entry) {
		String authority = entry.authority();
		return new LevelRule(entry.paths().stream().map(PathPatternParser.defaultInstance::parse).toList(),
				(authority != null) ? authority : "", entry.level(), entry.longLived());
	}

}
