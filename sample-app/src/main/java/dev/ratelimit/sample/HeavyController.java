package dev.ratelimit.sample;

import java.time.Duration;

import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A handler that takes two seconds, like a slow backend. With the profile
 * {@code protect}, the load guard allows four requests at a time.
 */
@RestController
class HeavyController {

	private static final Duration WORK = Duration.ofSeconds(2);

	@GetMapping("/api/heavy")
	Mono<String> heavy() {
		return Mono.delay(WORK).thenReturn("Done.\n");
	}

}
