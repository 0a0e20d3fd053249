package dev.ratelimit.api;

import java.security.Principal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.RateLimited;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.edit.EditResult;
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
 * Live rules over HTTP, on servlet and WebFlux. A write contains the entity tag that its
 * client has read, so that it does not overwrite other edits.
 */
@RestController
@RateLimited.Exempt
@RequestMapping("${ratelimit.api.path:/v1/ratelimit}")
final class ConfigurationController {

	private static final int NOT_FOUND = 404;

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
	ConfigurationController(RuleEditor editor, Editions editions, ApiGuard guard, ApiResponses responses) {
		this.editor = editor;
		this.editions = editions;
		this.guard = guard;
		this.responses = responses;
	}

	@GetMapping("/config")
	CompletableFuture<ResponseEntity<Object>> all(@Nullable Principal client) {
		return this.responses.edited(() -> {
			this.guard.requireRead(client);
			Optional<RuleDocument> present = this.editor.present();
			long version = present.map(RuleDocument::version).orElse(0L);
			Map<String, Object> rules = new LinkedHashMap<>();
			this.editions.current().rules().rules().forEach((id, rule) -> rules.put(id, view(id, present)));
			Map<String, Object> view = new LinkedHashMap<>();
			view.put("version", version);
			view.put("rules", rules);
			return ok(view, version);
		});
	}

	@GetMapping("/config/{rule}")
	CompletableFuture<ResponseEntity<Object>> one(@PathVariable("rule") String rule, @Nullable Principal client) {
		return this.responses.edited(() -> {
			this.guard.requireRead(client);
			Optional<RuleDocument> present = this.editor.present();
			Map<String, Object> view = view(rule, present);
			if (!view.containsKey("definition") && !view.containsKey("effective")) {
				throw new ApiException(NOT_FOUND, ShownText.unknownRule(rule));
			}
			return ok(view, EntryCondition.revision(rule, present).orElse(0L));
		});
	}

	private Map<String, Object> view(String id, Optional<RuleDocument> present) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("rule_id", id);
		present.map((document) -> document.rules().get(id)).ifPresent((entry) -> view.put("definition", entry));
		Rule rule = this.editions.current().rules().rules().get(id);
		if (rule != null) {
			view.put("effective", RuleDescription.texts(rule));
		}
		return view;
	}

	@PutMapping("/config/{rule}")
	CompletableFuture<ResponseEntity<Object>> write(@PathVariable("rule") String rule,
			@RequestBody(required = false) @Nullable String body,
			@RequestHeader(name = "Content-Type", required = false) @Nullable String type,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
			@RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch,
			@Nullable Principal client) {
		return this.responses.edited(() -> {
			ApiGuard.Writer writer = this.guard.requireWrite(client, rule);
			ApiParameters.requireJson(type);
			EntryCondition condition = EntryCondition.parse(ifMatch, ifNoneMatch);
			Map<String, Object> definition = ForeignDefinition.read(body);
			AtomicLong revision = new AtomicLong();
			EditResult result = this.editor.edit(rule, writer.request(), (present) -> {
				condition.require(rule, present);
				EntryCondition.revision(rule, present).ifPresent(revision::set);
			}, (entry) -> Optional.of(definition)).orElseThrow();
			long version = result.version().orElse(0);
			Map<String, Object> view = new LinkedHashMap<>();
			view.put("rule_id", rule);
			view.put("status", (result.activateAtMillis().isPresent()) ? "scheduled" : "active");
			view.put("version", version);
			result.activateAtMillis()
				.ifPresent((millis) -> view.put("activates", Instant.ofEpochMilli(millis).toString()));
			// If the new entry is equal to the present one, its revision does not change.
			return ok(view, (result.written()) ? version : revision.get());
		});
	}

	@DeleteMapping("/config/{rule}")
	CompletableFuture<ResponseEntity<Object>> remove(@PathVariable("rule") String rule,
			@RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch, @Nullable Principal client) {
		return this.responses.edited(() -> {
			ApiGuard.Writer writer = this.guard.requireWrite(client, rule);
			EntryCondition condition = EntryCondition.parse(ifMatch, null);
			this.editor
				.edit(rule, writer.request(), (present) -> condition.require(rule, present),
						(entry) -> Optional.empty())
				.orElseThrow(() -> new ApiException(NOT_FOUND, "there is no entry of the rule '" + rule + "'"));
			return ResponseEntity.noContent().build();
		});
	}

	private static ResponseEntity<Object> ok(Map<String, Object> view, long revision) {
		return ResponseEntity.ok().eTag(EntryCondition.tag(revision)).body(view);
	}

}
