package dev.ratelimit.sample;

import java.time.Duration;

import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Takes two seconds, as a slow backend does. With the profile {@code protect}, the load
 * guard lets four requests in at a time.
 */
@RestController
class HeavyController {

	private static final Duration WORK = Duration.ofSeconds(2);

	@GetMapping("/api/heavy")
	Mono<String> heavy() {
		return Mono.delay(WORK).thenReturn("Done.\n");
	}

}
