package dev.ratelimit.benchmarks.overload;

import java.time.Duration;

import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The handler for WebFlux. It waits for the backend without blocking a thread.
 */
@RestController
@ConditionalOnWebApplication(type = Type.REACTIVE)
class ReactiveHandler {

	private final Backend backend;

	ReactiveHandler(Backend backend) {
		this.backend = backend;
	}

	@GetMapping("/{level}/work")
	Mono<String> work() {
		long now = System.nanoTime();
		return Mono.delay(Duration.ofNanos(this.backend.finishedAt(now) - now)).thenReturn("done");
	}

}
