package dev.ratelimit.http;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers that complete when the test completes them.
 */
@RestController
class SlowHandlers {

	private final ConcurrentMap<String, List<CompletableFuture<String>>> underWay = new ConcurrentHashMap<>();

	/**
	 * Return the futures of the pending requests of a key.
	 */
	List<CompletableFuture<String>> underWay(String key) {
		return this.underWay.computeIfAbsent(key, (absent) -> new CopyOnWriteArrayList<>());
	}

	void finish(String key) {
		underWay(key).forEach((request) -> request.complete("done"));
	}

	CompletableFuture<String> begin(String key) {
		CompletableFuture<String> request = new CompletableFuture<>();
		underWay(key).add(request);
		return request;
	}

	@GetMapping({ "/leases/future", "/leases/daily", "/leases/everybodys" })
	CompletableFuture<String> future(@RequestHeader("X-Key") String key) {
		return begin(key);
	}

	@GetMapping("/leases/mono")
	Mono<String> mono(@RequestHeader("X-Key") String key) {
		return Mono.fromFuture(begin(key));
	}

	@GetMapping("/leases/status")
	Mono<ResponseEntity<String>> status(@RequestHeader("X-Key") String key) {
		return Mono.fromFuture(begin(key)).map((done) -> ResponseEntity.status(418).body(done));
	}

	@GetMapping("/leases/at-once/{how}")
	CompletableFuture<String> atOnce(@PathVariable String how) {
		if (how.equals("thrown")) {
			throw new IllegalStateException("on purpose");
		}
		return (how.equals("failed")) ? CompletableFuture.failedFuture(new IllegalStateException("on purpose"))
				: CompletableFuture.completedFuture(how);
	}

}
