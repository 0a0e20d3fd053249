package dev.ratelimit.autoconfigure;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/**
 * Takes the scripts along into native images, and the proxies of imagined requests.
 */
final class RateLimitRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("META-INF/ratelimit/lua/*.lua");
		// Requests that are only asked about are proxies.
		hints.proxies().registerJdkProxy(TypeReference.of("jakarta.servlet.http.HttpServletRequest"));
	}

}
