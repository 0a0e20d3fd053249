package dev.ratelimit.live.edit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.base.Namespaces;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleText;

/**
 * Internal: the resource {@code rules}, and {@code rules/search} for the rule
 * {@code search}: the live entries.
 *
 * @param editor changes rules
 * @param editions the editions of the rules
 * @param namespaces the owners of rules
 */
record LiveRulesResource(RuleEditor editor, Editions editions, Namespaces namespaces) implements LiveResource {

	@Override
	public String name() {
		return "rules";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		Optional<RuleDocument> present = this.editor.present();
		if (request.path().isEmpty()) {
			return Optional.of(all(present));
		}
		return (request.path().size() == 1) ? one(present, request.path().get(0)) : Optional.empty();
	}

	private Map<String, Object> all(Optional<RuleDocument> present) {
		Map<String, Object> entries = new LinkedHashMap<>();
		present
			.ifPresent((document) -> document.rules().keySet().forEach((id) -> entries.put(id, entry(document, id))));
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("source", this.editor.name());
		description.put("version", version(present));
		description.put("rules", entries);
		return description;
	}

	private Optional<Object> one(Optional<RuleDocument> present, String id) {
		Optional<RuleDocument> live = present.filter((document) -> document.rules().containsKey(id));
		boolean known = this.editions.current().rules().rules().containsKey(id);
		if (live.isEmpty() && !known) {
			return Optional.empty();
		}
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("rule", id);
		this.namespaces.owner(id).ifPresent((team) -> description.put("owner", team));
		description.put("version", version(present));
		live.ifPresent((document) -> description.put("live", entry(document, id)));
		return Optional.of(description);
	}

	private static long version(Optional<RuleDocument> present) {
		return present.map(RuleDocument::version).orElse(0L);
	}

	@SuppressWarnings("unchecked")
	private Map<String, Object> entry(RuleDocument document, String id) {
		Map<String, Object> entry = new LinkedHashMap<>();
		this.namespaces.owner(id).ifPresent((team) -> entry.put("owner", team));
		entry.put("definition",
				RuleText.ofDefinition((Map<String, Object>) document.rules().getOrDefault(id, Map.of())));
		Optional.ofNullable(document.revisions().get(id))
			.ifPresent((revision) -> entry.putAll(EditDescription.of(revision)));
		return entry;
	}

	@Override
	public boolean permitsTeams() {
		return true;
	}

	@Override
	public Optional<Object> write(LiveRequest request) {
		if (request.path().size() != 1) {
			return Optional.empty();
		}
		request.requireOnly("definition", "version", "note", "dryRun");
		request.permit().requireRule(request.path().get(0));
		return Optional.of(EditDescription.of(this.editor.write(request.path().get(0), request.required("definition"),
				EditDescription.requested(request))));
	}

	@Override
	public Optional<Object> delete(LiveRequest request) {
		if (request.path().size() != 1) {
			return Optional.empty();
		}
		request.requireOnly("version", "note", "dryRun");
		request.permit().requireRule(request.path().get(0));
		return this.editor.remove(request.path().get(0), EditDescription.requested(request)).map(EditDescription::of);
	}

}
