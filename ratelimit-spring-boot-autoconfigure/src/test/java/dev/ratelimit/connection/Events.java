package dev.ratelimit.connection;

import java.util.concurrent.CompletableFuture;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A long poll, of either stack.
 */
@RestController
class Events {

	private volatile CompletableFuture<String> next = new CompletableFuture<>();

	@GetMapping("/events")
	CompletableFuture<String> next() {
		return this.next;
	}

	@GetMapping("/publish")
	String publish() {
		CompletableFuture<String> waiting = this.next;
		this.next = new CompletableFuture<>();
		waiting.complete("event");
		return "published";
	}

}
