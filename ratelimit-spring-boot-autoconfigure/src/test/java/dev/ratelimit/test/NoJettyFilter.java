package dev.ratelimit.test;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;

/**
 * Keeps Jetty, which only some tests run on and then name, from taking the place of
 * Tomcat in all others.
 */
class NoJettyFilter implements AutoConfigurationImportFilter {

	@Override
	public boolean[] match(@Nullable String[] autoConfigurationClasses, AutoConfigurationMetadata metadata) {
		boolean[] matches = new boolean[autoConfigurationClasses.length];
		for (int i = 0; i < matches.length; i++) {
			String name = autoConfigurationClasses[i];
			matches[i] = name == null || !name.startsWith("org.springframework.boot.jetty.");
		}
		return matches;
	}

}
