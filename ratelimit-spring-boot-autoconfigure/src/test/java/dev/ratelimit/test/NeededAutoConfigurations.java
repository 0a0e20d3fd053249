package dev.ratelimit.test;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;

/**
 * Excludes auto-configurations from all applications of the tests: that of Jetty, which
 * would replace Tomcat if a test does not name a server, and those that no test needs.
 * The latter take a sixth of the startup time of an application.
 */
class NeededAutoConfigurations implements AutoConfigurationImportFilter {

	private static final Pattern LEFT_OUT = Pattern.compile("""
			org\\.springframework\\.boot\\.(?x: jetty\\.
			| actuate\\.autoconfigure\\.(audit|beans|condition|context|logging|management|sbom|scheduling|startup
				|web\\.exchanges|web\\.mappings)
			| autoconfigure\\.(admin|aop|jmx)
			| data\\.autoconfigure
			| data\\.redis\\.autoconfigure\\.DataRedisRepositories
			| micrometer\\.metrics\\.autoconfigure\\.(jvm|logging|ssl|startup|system)
			| micrometer\\.observation\\.autoconfigure\\.ScheduledTasks
			| persistence | security\\.autoconfigure\\.rsocket | testcontainers | transaction).*""".strip());

	@Override
	public boolean[] match(@Nullable String[] autoConfigurationClasses, AutoConfigurationMetadata metadata) {
		boolean[] matches = new boolean[autoConfigurationClasses.length];
		for (int i = 0; i < matches.length; i++) {
			String name = autoConfigurationClasses[i];
			matches[i] = name == null || !LEFT_OUT.matcher(name).matches();
		}
		return matches;
	}

}
