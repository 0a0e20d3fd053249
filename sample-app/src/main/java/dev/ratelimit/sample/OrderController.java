package dev.ratelimit.sample;

import dev.ratelimit.RateLimited;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * A handler for orders. A retry with the same {@code Idempotency-Key} is not charged
 * again.
 */
@RestController
class OrderController {

	@RateLimited(value = "20/min", idempotency = true)
	@PostMapping("/api/orders")
	@ResponseStatus(HttpStatus.CREATED)
	Mono<String> order() {
		return Mono.just("Ordered.\n");
	}

}
