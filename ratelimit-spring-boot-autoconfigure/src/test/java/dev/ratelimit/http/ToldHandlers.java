package dev.ratelimit.http;

import reactor.core.publisher.Flux;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers that set rate limit fields.
 */
@RestController
class ToldHandlers {

	@GetMapping("/told/status/{status}")
	ResponseEntity<Void> status(@PathVariable int status) {
		return ResponseEntity.status(status).header("Location", "/elsewhere").build();
	}

	@GetMapping("/told/upstream")
	ResponseEntity<String> upstream(@RequestParam int remaining) {
		return ResponseEntity.ok()
			.header("ratelimit-policy", "\"upstream\";q=9;w=60")
			.header("ratelimit", "\"upstream\";r=" + remaining)
			.header("x-ratelimit-limit", "9")
			.header("x-ratelimit-remaining", Integer.toString(remaining))
			.header("x-ratelimit-reset", "1")
			.body("answered");
	}

	@GetMapping("/told/redirected")
	ResponseEntity<Void> redirected() {
		return ResponseEntity.status(302).header("Location", "/elsewhere").header("RateLimit", "\"own\";r=1").build();
	}

	@GetMapping(path = "/told/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<String> stream() {
		return Flux.just("one", "two");
	}

	@GetMapping({ "/told/closed", "/clients/{name}" })
	String get() {
		return "ok";
	}

}
