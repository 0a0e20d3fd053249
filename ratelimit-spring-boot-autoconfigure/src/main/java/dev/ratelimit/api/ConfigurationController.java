package dev.ratelimit.api;

import java.security.Principal;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Live rules over HTTP, on servlet and WebFlux. A write names the entity tag that its
 * client has read, so that no edit is lost.
 */
@RestController
@RateLimited.Exempt
@RequestMapping("${ratelimit.api.path:/v1/ratelimit}/config")
final class ConfigurationController {

	private final Configurations configurations;

	private final ApiGuard guard;

	/**
	 * A controller.
	 * @param configurations shows and changes live rules
	 * @param guard tells who may use an operation
	 */
	ConfigurationController(Configurations configurations, ApiGuard guard) {
		this.configurations = configurations;
		this.guard = guard;
	}

	@GetMapping
	CompletableFuture<ResponseEntity<Object>> all(@Nullable Principal client) {
		return answered(() -> {
			this.guard.requireRead(client);
			return ok(this.configurations.all());
		});
	}

	@GetMapping("/{rule}")
	CompletableFuture<ResponseEntity<Object>> one(@PathVariable("rule") String rule, @Nullable Principal client) {
		return answered(() -> {
			this.guard.requireRead(client);
			return ok(this.configurations.one(rule));
		});
	}

	@PutMapping("/{rule}")
	CompletableFuture<ResponseEntity<Object>> write(@PathVariable("rule") String rule,
			@RequestBody(required = false) @Nullable String body,
			@RequestHeader(name = "Content-Type", required = false) @Nullable String type,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
			@RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch,
			@Nullable Principal client) {
		return answered(() -> {
			ApiWriter writer = this.guard.requireWrite(client, rule);
			ApiParameters.requireJson(type);
			return ok(this.configurations.write(rule, (body != null) ? body : "",
					EntryCondition.parse(ifMatch, ifNoneMatch), writer, "by the API"));
		});
	}

	@DeleteMapping("/{rule}")
	CompletableFuture<ResponseEntity<Object>> remove(@PathVariable("rule") String rule,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch, @Nullable Principal client) {
		return answered(() -> {
			ApiWriter writer = this.guard.requireWrite(client, rule);
			this.configurations.remove(rule, EntryCondition.parse(ifMatch, null), writer);
			return ResponseEntity.noContent().build();
		});
	}

	private static ResponseEntity<Object> ok(Configurations.Tagged tagged) {
		return ResponseEntity.ok().eTag(tagged.tag()).body(tagged.view());
	}

	// The source is read and written by blocking calls.
	private static CompletableFuture<ResponseEntity<Object>> answered(Supplier<ResponseEntity<Object>> work) {
		return ApiResponses.answered(() -> Mono.fromSupplier(work).subscribeOn(Schedulers.boundedElastic()).toFuture());
	}

}
