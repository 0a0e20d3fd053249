package dev.ratelimit.http.matrix;

import java.util.concurrent.CompletableFuture;

import dev.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The handlers that requests of the matrix may reach, on both stacks.
 */
@Configuration(proxyBeanMethods = false)
@Import({ MatrixHandlers.Target.class, MatrixHandlers.Others.class })
class MatrixHandlers {

	@Bean
	Reached reached() {
		return new Reached();
	}

	@Bean
	Held held() {
		return new Held();
	}

	@Bean
	ChargeLog charges() {
		return new ChargeLog();
	}

	@CrossOrigin("https://page.example")
	@RestController
	@RequestMapping("/target")
	@RateLimited(id = "annotated", value = "1000/d", key = "ip")
	static class Target {

		private final Reached reached;

		Target(Reached reached) {
			this.reached = reached;
		}

		private String served(String client, HttpMethod method) {
			this.reached.of(client).served("target", method.name());
			return "target";
		}

		@RequestMapping("/{id}")
		String any(@PathVariable String id, @RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return served(client, method);
		}

		@GetMapping("/only/get")
		String get(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return served(client, method);
		}

		@PostMapping(path = "/only/json", consumes = MediaType.APPLICATION_JSON_VALUE,
				produces = MediaType.APPLICATION_JSON_VALUE)
		String json(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return served(client, method);
		}

		@GetMapping("/async/future")
		CompletableFuture<String> future(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return CompletableFuture.supplyAsync(() -> served(client, method));
		}

		@GetMapping("/async/failed")
		CompletableFuture<String> failed(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return CompletableFuture.supplyAsync(() -> {
				throw new IllegalStateException(served(client, method));
			});
		}

		@GetMapping("/async/mono")
		Mono<String> mono(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return Mono.fromFuture(() -> CompletableFuture.supplyAsync(() -> served(client, method)));
		}

		@GetMapping(path = "/async/lines", produces = MediaType.APPLICATION_NDJSON_VALUE)
		Flux<String> lines(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return Flux.just(served(client, method), "2", "3");
		}

		@GetMapping("/async/events")
		Flux<String> events(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return Flux.just(served(client, method), "2");
		}

		@GetMapping("/error/thrown")
		String thrown(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			throw new IllegalStateException(served(client, method));
		}

		@GetMapping("/error/status")
		String status(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, served(client, method));
		}

		@GetMapping("/error/answered")
		ResponseEntity<String> answered(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			return ResponseEntity.status(HttpStatus.UNAUTHORIZED).body(served(client, method));
		}

	}

	@CrossOrigin("https://page.example")
	@RestController
	static class Others {

		private final Reached reached;

		private final Held held;

		Others(Reached reached, Held held) {
			this.reached = reached;
			this.held = held;
		}

		@RateLimited.Exempt
		@RequestMapping("/exempt/{id}")
		String exempt(@RequestHeader(Reached.CLIENT) String client, HttpMethod method) {
			this.reached.of(client).served("exempt", method.name());
			return "exempt";
		}

		@RequestMapping("/keyed")
		String keyed(@RequestHeader(Reached.CLIENT) String client, HttpMethod method,
				@RequestParam(name = "k", defaultValue = "") String key) {
			this.reached.of(client).served("KEYED", method.name(), key);
			return "keyed " + key;
		}

		@RequestMapping("/numbers/parameter")
		String parameter(@RequestHeader(Reached.CLIENT) String client, HttpMethod method,
				@RequestParam(name = "n", defaultValue = "1") long number) {
			this.reached.of(client).served("PARAMETER", method.name(), number);
			return "parameter " + number;
		}

		@RequestMapping("/numbers/header")
		String header(@RequestHeader(Reached.CLIENT) String client, HttpMethod method,
				@RequestHeader(name = "X-N", defaultValue = "1") long number) {
			this.reached.of(client).served("HEADER", method.name(), number);
			return "header " + number;
		}

		@RequestMapping("/numbers/bound")
		String bound(@RequestHeader(Reached.CLIENT) String client, HttpMethod method,
				@ModelAttribute BoundNumber size) {
			this.reached.of(client).served("BOUND", method.name(), size.getN());
			return "bound " + size.getN();
		}

		@RequestMapping("/numbers/constructed")
		String constructed(@RequestHeader(Reached.CLIENT) String client, HttpMethod method,
				@ModelAttribute Constructed size) {
			this.reached.of(client).served("BOUND", method.name(), (size.n() != null) ? size.n() : 1);
			return "constructed " + size.n();
		}

		@PostMapping("/form")
		String form(@RequestHeader(Reached.CLIENT) String client, HttpMethod method, @ModelAttribute Login login) {
			this.reached.of(client).served("FORM", method.name(), (login.username() != null) ? login.username() : "");
			return "form " + login.username();
		}

		@GetMapping("/held")
		CompletableFuture<String> held() {
			return this.held.enter();
		}

	}

	record Constructed(@Nullable Long n) {

	}

	record Login(@Nullable String username, @Nullable String password) {

	}

	/**
	 * Holds requests in their handler.
	 */
	static final class Held {

		private final CompletableFuture<String> released = new CompletableFuture<>();

		CompletableFuture<String> enter() {
			return this.released;
		}

		void release() {
			this.released.complete("held");
		}

	}

}
