package dev.ratelimit.api;

import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.ratelimit.RateLimited;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.edit.RuleEditor;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDescription;
import dev.ratelimit.rule.ShownText;
import org.jspecify.annotations.Nullable;

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
 * one tenant; it may contain the entity tag of the live entry of the rule.
 */
@RestController
@RateLimited.Exempt
@RequestMapping("${ratelimit.api.path:/v1/ratelimit}")
final class QuotaController {

	private static final int NOT_FOUND = 404;

	private static final String OVERRIDES = "overrides";

	private final RuleEditor editor;

	private final Editions editions;

	private final ApiGuard guard;

	private final ApiResponses responses;

	/**
	 * Create a controller.
	 * @param editor reads and changes the source
	 * @param editions the editions of the rules
	 * @param guard checks the authorities of clients
	 * @param responses makes responses
	 */
	QuotaController(RuleEditor editor, Editions editions, ApiGuard guard, ApiResponses responses) {
		this.editor = editor;
		this.editions = editions;
		this.guard = guard;
		this.responses = responses;
	}

	@GetMapping("/quotas/{tenant}/routes/{rule}")
	CompletableFuture<ResponseEntity<Object>> one(@PathVariable("tenant") String tenant,
			@PathVariable("rule") String rule, @Nullable Principal client) {
		return this.responses.edited(() -> {
			this.guard.requireRead(client);
			@Nullable String limit = RuleDescription.texts(required(rule)).get(OVERRIDES + "[" + tenant + "]");
			Optional<RuleDocument> present = this.editor.present();
			@Nullable Object written = overrides(copy(present.map((document) -> document.rules().get(rule)).orElse(Map.of())))
				.get(tenant);
			if (limit == null && written == null) {
				throw missing(tenant, rule, "");
			}
			Map<String, Object> view = new LinkedHashMap<>();
			view.put("tenant", tenant);
			view.put("rule_id", rule);
			if (written != null) {
				view.put("definition", written);
			}
			if (limit != null) {
				view.put("effective", limit);
			}
			ResponseEntity.BodyBuilder response = ResponseEntity.ok();
			EntryCondition.revision(rule, present).map(EntryCondition::tag).ifPresent(response::eTag);
			return response.body(view);
		});
	}

	@PutMapping("/quotas/{tenant}/routes/{rule}")
	CompletableFuture<ResponseEntity<Object>> write(@PathVariable("tenant") String tenant,
			@PathVariable("rule") String rule, @RequestBody(required = false) @Nullable String body,
			@RequestHeader(name = "Content-Type", required = false) @Nullable String type,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch, @Nullable Principal client) {
		return this.responses.edited(() -> {
			ApiGuard.Writer writer = this.guard.requireWrite(client, rule);
			ApiParameters.requireJson(type);
			Map<String, Object> definition = ForeignDefinition.read(body);
			required(rule);
			return edited(rule, ifMatch, writer, (overrides) -> overrides.put(tenant, definition));
		});
	}

	@DeleteMapping("/quotas/{tenant}/routes/{rule}")
	CompletableFuture<ResponseEntity<Object>> remove(@PathVariable("tenant") String tenant,
			@PathVariable("rule") String rule,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch, @Nullable Principal client) {
		return this.responses.edited(() -> {
			ApiGuard.Writer writer = this.guard.requireWrite(client, rule);
			return edited(rule, ifMatch, writer, (overrides) -> {
				if (overrides.remove(tenant) == null) {
					throw missing(tenant, rule, "live ");
				}
			});
		});
	}

	// The entity tag is optional, because a write replaces the whole override of the
	// tenant.
	private ResponseEntity<Object> edited(String rule, @Nullable String ifMatch, ApiGuard.Writer writer,
			Consumer<Map<String, Object>> change) {
		Optional<EntryCondition> condition = Optional.ofNullable(ifMatch).map((tag) -> EntryCondition.parse(tag, null));
		this.editor.edit(rule, writer.request(),
				(document) -> condition.ifPresent((tag) -> tag.require(rule, document)), (present) -> {
					Map<String, Object> entry = copy(present);
					Map<String, Object> overrides = overrides(entry);
					change.accept(overrides);
					entry.put(OVERRIDES, overrides);
					if (overrides.isEmpty()) {
						entry.remove(OVERRIDES);
					}
					return (entry.isEmpty()) ? Optional.empty() : Optional.of(entry);
				});
		return ResponseEntity.noContent().build();
	}

	private Rule required(String id) {
		return Optional.ofNullable(this.editions.current().rules().rules().get(id))
			.orElseThrow(() -> new ApiException(NOT_FOUND, ShownText.unknownRule(id)));
	}

	private static ApiException missing(String tenant, String rule, String kind) {
		return new ApiException(NOT_FOUND, "the rule '" + rule + "' has no " + kind + "override of '" + tenant + "'");
	}

	private static Map<String, Object> overrides(Map<String, Object> entry) {
		return copy(Objects.requireNonNullElse(entry.get(OVERRIDES), Map.of()));
	}

	private static Map<String, Object> copy(Object map) {
		if (!(map instanceof Map<?, ?> entries)) {
			throw new IllegalArgumentException("'" + OVERRIDES + "' of the live entry is no map");
		}
		Map<String, Object> copy = new LinkedHashMap<>();
		entries.forEach((key, value) -> copy.put(String.valueOf(key), value));
		return copy;
	}

}
