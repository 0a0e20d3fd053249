package dev.ratelimit.connection;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import reactor.core.publisher.Flux;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers for long polls and server-sent events on either stack.
 */
@RestController
class Events {

	private final AtomicInteger arrived = new AtomicInteger();

	private volatile CompletableFuture<String> next = new CompletableFuture<>();

	int arrived() {
		return this.arrived.get();
	}

	@GetMapping("/events")
	CompletableFuture<String> next() {
		this.arrived.incrementAndGet();
		return this.next;
	}

	@GetMapping("/publish")
	String publish() {
		CompletableFuture<String> waiting = this.next;
		this.next = new CompletableFuture<>();
		waiting.complete("event");
		return "published";
	}

	@GetMapping(path = "/brief/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	Flux<String> stream() {
		return Flux.<String>never().startWith("first");
	}

	@GetMapping("/brief/poll")
	CompletableFuture<String> poll() {
		return new CompletableFuture<>();
	}

}
