package dev.ratelimit.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.edit.RuleEditor;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDescription;
import dev.ratelimit.rule.ShownText;
import org.jspecify.annotations.Nullable;

/**
 * Shows and changes the limits of tenants for the API, which are overrides in the live
 * entries of rules. Its methods block for some seconds at most. Thread-safe.
 */
final class TenantQuotas {

	private static final int NOT_FOUND = 404;

	private static final int ATTEMPTS = 5;

	private static final String OVERRIDES = "overrides";

	private final RuleEditor editor;

	private final Editions editions;

	/**
	 * Quotas of tenants.
	 * @param editor reads and changes the source
	 * @param editions the editions of the rules
	 */
	TenantQuotas(RuleEditor editor, Editions editions) {
		this.editor = editor;
		this.editions = editions;
	}

	Configurations.Tagged one(String tenant, String rule) {
		return Configurations.answered(() -> {
			@Nullable String limit = RuleDescription.texts(required(rule)).get(OVERRIDES + "[" + tenant + "]");
			Optional<RuleDocument> present = this.editor.present();
			@Nullable Object written = overrides(entry(present, rule)).get(tenant);
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
			return new Configurations.Tagged(view,
					EntryCondition.tag(EntryCondition.revision(rule, present).orElse(0L)));
		});
	}

	void put(String tenant, String rule, String body, Optional<EntryCondition> condition, ApiWriter writer) {
		Configurations.answered(() -> {
			Map<String, Object> definition = ForeignDefinition.translated(RuleText.definition(body));
			required(rule);
			return edit(rule, condition, writer, (overrides) -> overrides.put(tenant, definition));
		});
	}

	void remove(String tenant, String rule, Optional<EntryCondition> condition, ApiWriter writer) {
		Configurations.answered(() -> edit(rule, condition, writer, (overrides) -> {
			if (overrides.remove(tenant) == null) {
				throw missing(tenant, rule, "live ");
			}
		}));
	}

	// Others may change the same entry meanwhile, and neither edit may be lost.
	private boolean edit(String rule, Optional<EntryCondition> condition, ApiWriter writer,
			Consumer<Map<String, Object>> change) {
		for (int i = 0; i < ATTEMPTS; i++) {
			Optional<RuleDocument> present = this.editor.present();
			condition.ifPresent((required) -> required.require(rule, present));
			Map<String, Object> entry = entry(present, rule);
			Map<String, Object> overrides = overrides(entry);
			change.accept(overrides);
			entry.put(OVERRIDES, overrides);
			if (overrides.isEmpty()) {
				entry.remove(OVERRIDES);
			}
			if (isWritten(rule, present, entry, writer)) {
				return true;
			}
		}
		throw new EditConflictException("the rules change too often; try again");
	}

	private boolean isWritten(String rule, Optional<RuleDocument> read, Map<String, Object> entry, ApiWriter writer) {
		Consumer<Optional<RuleDocument>> unchanged = (present) -> {
			if (!entry(present, rule).equals(entry(read, rule))) {
				throw new ChangedException();
			}
		};
		long version = read.map(RuleDocument::version).orElse(0L);
		try {
			if (entry.isEmpty()) {
				return this.editor.remove(rule, writer.request(version, "by the API"), unchanged).isPresent();
			}
			this.editor.write(rule, RuleText.ofDefinition(entry), writer.request(version, "by the API"), unchanged);
			return true;
		}
		catch (ChangedException ex) {
			return false;
		}
	}

	private Rule required(String id) {
		return Optional.ofNullable(this.editions.current().rules().rules().get(id))
			.orElseThrow(() -> new ApiException(NOT_FOUND, ShownText.unknownRule(id)));
	}

	private static ApiException missing(String tenant, String rule, String kind) {
		return new ApiException(NOT_FOUND, "the rule '" + rule + "' has no " + kind + "override of '" + tenant + "'");
	}

	private static Map<String, Object> entry(Optional<RuleDocument> present, String rule) {
		return copy(present.map((document) -> document.rules().get(rule)).orElse(Map.of()));
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

	/**
	 * The entry is another one by now.
	 */
	private static final class ChangedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
