package dev.ratelimit.sample;

import dev.ratelimit.RateLimited;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Simple handlers. An annotation alone limits {@code hello} to ten requests per minute
 * for each client.
 */
@RestController
class HelloController {

	@RateLimited("10/min")
	@GetMapping("/api/hello")
	String hello() {
		return "Hello!\n";
	}

	/**
	 * Return a greeting. A rule of the profile {@code regions} limits this handler.
	 */
	@GetMapping("/api/shared")
	String shared() {
		return "Hello from a region!\n";
	}

	@GetMapping("/open")
	String open() {
		return "No limit here.\n";
	}

}
