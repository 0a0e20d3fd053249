package dev.ratelimit.api;

import java.security.Principal;
import java.util.Optional;
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
 * Limits of tenants over HTTP, on servlet and WebFlux. A write changes the override of
 * one tenant; it may name the entity tag of the rule's live entry.
 */
@RestController
@RateLimited.Exempt
@RequestMapping("${ratelimit.api.path:/v1/ratelimit}/quotas/{tenant}/routes/{rule}")
final class QuotaController {

	private final TenantQuotas quotas;

	private final ApiGuard guard;

	/**
	 * A controller.
	 * @param quotas shows and changes the limits of tenants
	 * @param guard tells who may use an operation
	 */
	QuotaController(TenantQuotas quotas, ApiGuard guard) {
		this.quotas = quotas;
		this.guard = guard;
	}

	@GetMapping
	CompletableFuture<ResponseEntity<Object>> one(@PathVariable("tenant") String tenant,
			@PathVariable("rule") String rule, @Nullable Principal client) {
		return answered(() -> {
			this.guard.requireRead(client);
			Configurations.Tagged quota = this.quotas.one(tenant, rule);
			return ResponseEntity.ok().eTag(quota.tag()).body(quota.view());
		});
	}

	@PutMapping
	CompletableFuture<ResponseEntity<Object>> write(@PathVariable("tenant") String tenant,
			@PathVariable("rule") String rule, @RequestBody(required = false) @Nullable String body,
			@RequestHeader(name = "Content-Type", required = false) @Nullable String type,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch, @Nullable Principal client) {
		return answered(() -> {
			ApiWriter writer = this.guard.requireWrite(client, rule);
			ApiParameters.requireJson(type);
			this.quotas.put(tenant, rule, (body != null) ? body : "", condition(ifMatch), writer);
			return ResponseEntity.noContent().build();
		});
	}

	@DeleteMapping
	CompletableFuture<ResponseEntity<Object>> remove(@PathVariable("tenant") String tenant,
			@PathVariable("rule") String rule,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch, @Nullable Principal client) {
		return answered(() -> {
			ApiWriter writer = this.guard.requireWrite(client, rule);
			this.quotas.remove(tenant, rule, condition(ifMatch), writer);
			return ResponseEntity.noContent().build();
		});
	}

	// A write replaces all there is of the tenant, so it need not be read before.
	private static Optional<EntryCondition> condition(@Nullable String ifMatch) {
		return (ifMatch != null) ? Optional.of(EntryCondition.parse(ifMatch, null)) : Optional.empty();
	}

	// The source is read and written by blocking calls.
	private static CompletableFuture<ResponseEntity<Object>> answered(Supplier<ResponseEntity<Object>> work) {
		return ApiResponses.answered(() -> Mono.fromSupplier(work).subscribeOn(Schedulers.boundedElastic()).toFuture());
	}

}
