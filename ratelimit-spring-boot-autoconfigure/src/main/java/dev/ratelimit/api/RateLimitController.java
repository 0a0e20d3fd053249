package dev.ratelimit.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.RateLimited;
import dev.ratelimit.Reason;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.IdempotencyKeys;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.HeaderField;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriUtils;

/**
 * Decisions over HTTP, on servlet and WebFlux. Every operation requires an authority.
 * Rules do not limit the API.
 */
@RestController
@RateLimited.Exempt
@RequestMapping("${ratelimit.api.path:/v1/ratelimit}")
final class RateLimitController {

	private final Decisions decisions;

	private final HeaderFactory headers;

	private final IdempotencyKeys keys;

	private final ApiGuard guard;

	private final Resource description;

	/**
	 * Create a controller.
	 * @param decisions makes and forecasts decisions
	 * @param headers makes the header fields of decisions
	 * @param keys reads idempotency keys
	 * @param guard checks the authorities of clients
	 * @param path the path of the API after the context path
	 */
	RateLimitController(Decisions decisions, HeaderFactory headers, IdempotencyKeys keys, ApiGuard guard, String path) {
		this.decisions = decisions;
		this.headers = headers;
		this.keys = keys;
		this.guard = guard;
		this.description = ApiDescription.below(path);
	}

	@PostMapping("/check")
	CompletableFuture<ResponseEntity<Object>> check(@RequestBody(required = false) @Nullable String body,
			@RequestHeader(name = "Content-Type", required = false) @Nullable String type,
			@RequestHeader(name = "Idempotency-Key", required = false) @Nullable String key,
			@RequestHeader(name = "X-Idempotency-Key", required = false) @Nullable String otherKey,
			@Nullable Principal client) {
		return ApiResponses.answered(() -> {
			this.guard.requireCheck(client);
			ApiParameters.requireJson(type);
			return this.decisions.check(CheckRequest.parse(body), retry((key != null) ? key : otherKey, body))
				.thenApply(this::checked);
		});
	}

	@GetMapping("/decision")
	CompletableFuture<ResponseEntity<Object>> decision(
			@RequestParam(name = "actor", required = false) @Nullable String actor,
			@RequestParam(name = "route", required = false) @Nullable String route,
			@RequestParam(name = "cost", required = false) @Nullable String cost,
			@RequestParam(name = "plan", required = false) @Nullable String plan, @Nullable Principal client) {
		return ApiResponses.answered(() -> {
			this.guard.requireRead(client);
			return this.decisions
				.expected(ApiParameters.required("route", route), ApiParameters.required("actor", actor),
						ApiParameters.cost(cost), ApiParameters.plan(plan))
				.thenApply(ResponseEntity::ok);
		});
	}

	@GetMapping("/status/{*subject}")
	CompletableFuture<ResponseEntity<Object>> status(@PathVariable("subject") String subject,
			@RequestParam(name = "plan", required = false) @Nullable String plan, @Nullable Principal client) {
		return ApiResponses.answered(() -> {
			this.guard.requireRead(client);
			return this.decisions.status(subject.substring(1), ApiParameters.plan(plan)).thenApply(ResponseEntity::ok);
		});
	}

	@GetMapping("/openapi.json")
	CompletableFuture<ResponseEntity<Object>> description(@Nullable Principal client) {
		return ApiResponses.answered(() -> {
			this.guard.requireRead(client);
			return CompletableFuture
				.completedFuture(ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(this.description));
		});
	}

	private ResponseEntity<Object> checked(RequestProgress progress) {
		boolean allowed = progress.allowed();
		long jitterSeconds = (allowed) ? 0 : this.headers.jitterSeconds();
		HttpHeaders fields = new HttpHeaders();
		for (HeaderField field : (allowed) ? this.headers.fields(progress)
				: this.headers.rejection(progress, jitterSeconds)) {
			fields.set(field.name(), field.value());
		}
		boolean closed = !allowed && progress.decision().reason() == Reason.STORE_UNAVAILABLE;
		HttpStatus status = (allowed) ? HttpStatus.OK
				: (closed) ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.TOO_MANY_REQUESTS;
		return ResponseEntity.status(status)
			.headers(fields)
			.body(this.decisions.view().check(progress.decision(), jitterSeconds));
	}

	// Requests with the same key and different bodies are different requests.
	private Optional<RetryKey> retry(@Nullable String key, @Nullable String body) {
		String operation = "check " + ((body != null) ? body : "");
		return (key != null) ? this.keys.of(key, operation) : Optional.empty();
	}

	/**
	 * The description of the API in OpenAPI. Clients resolve the URL of the server
	 * against the URL of the description, and append the paths. The URL of the server is
	 * relative, so that it is also correct with a context path and behind proxies. It
	 * repeats the last segment, because it must not end with a slash.
	 */
	private static final class ApiDescription {

		private static final String FILE = "META-INF/ratelimit/api/openapi.json";

		private static final String SERVER = "\"../ratelimit\"";

		private ApiDescription() {
		}

		/**
		 * Return the description.
		 * @param path the path of the API after the context path
		 * @return the text
		 */
		static Resource below(String path) {
			String text = text();
			Assert.state(text.contains(SERVER), "the description has no server");
			return new ByteArrayResource(
					text.replace(SERVER, '"' + server(path) + '"').getBytes(StandardCharsets.UTF_8));
		}

		private static String server(String path) {
			String last = path.substring(path.lastIndexOf('/') + 1);
			return (StringUtils.hasText(last)) ? "../" + UriUtils.encodePathSegment(last, StandardCharsets.UTF_8) : ".";
		}

		// Uses the class loader of this class, because that of the thread may belong to
		// another application that has stopped.
		private static String text() {
			try {
				return new ClassPathResource(FILE, ApiDescription.class.getClassLoader())
					.getContentAsString(StandardCharsets.UTF_8);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
