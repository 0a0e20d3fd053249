package dev.ratelimit.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.base.EditForbiddenException;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.edit.EditRequest;
import dev.ratelimit.live.edit.EditResult;
import dev.ratelimit.live.edit.RuleEditor;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDescription;
import dev.ratelimit.rule.ShownText;

/**
 * Shows and changes live rules for the API. Its methods block for some seconds at most.
 * Thread-safe.
 */
final class Configurations {

	private static final int FORBIDDEN = 403;

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	private static final int UNAVAILABLE = 503;

	private final RuleEditor editor;

	private final Editions editions;

	/**
	 * Configurations.
	 * @param editor reads and changes the source
	 * @param editions the editions of the rules
	 */
	Configurations(RuleEditor editor, Editions editions) {
		this.editor = editor;
		this.editions = editions;
	}

	Tagged all() {
		return answered(() -> {
			Optional<RuleDocument> present = this.editor.present();
			long version = present.map(RuleDocument::version).orElse(0L);
			Map<String, Object> rules = new LinkedHashMap<>();
			this.editions.current().rules().rules().forEach((id, rule) -> rules.put(id, view(id, present)));
			Map<String, Object> view = new LinkedHashMap<>();
			view.put("version", version);
			view.put("rules", rules);
			return new Tagged(view, EntryCondition.tag(version));
		});
	}

	Tagged one(String id) {
		return answered(() -> {
			Optional<RuleDocument> present = this.editor.present();
			Map<String, Object> view = view(id, present);
			if (!view.containsKey("definition") && !view.containsKey("effective")) {
				throw new ApiException(NOT_FOUND, ShownText.unknownRule(id));
			}
			return new Tagged(view, EntryCondition.tag(EntryCondition.revision(id, present).orElse(0L)));
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

	Tagged write(String id, String body, EntryCondition condition, ApiWriter writer, String note) {
		return answered(() -> {
			String definition = RuleText.ofDefinition(ForeignDefinition.translated(RuleText.definition(body)));
			EditResult result = this.editor.write(id, definition, request(writer, note),
					(present) -> condition.require(id, present));
			return written(id, result);
		});
	}

	void remove(String id, EntryCondition condition, ApiWriter writer) {
		answered(() -> this.editor.remove(id, request(writer, ""), (present) -> condition.require(id, present))
			.map((result) -> written(id, result))
			.orElseThrow(() -> new ApiException(NOT_FOUND, "there is no entry of the rule '" + id + "'")));
	}

	private EditRequest request(ApiWriter writer, String note) {
		return writer.request(this.editor.present().map(RuleDocument::version).orElse(0L), note);
	}

	private Tagged written(String id, EditResult result) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("rule_id", id);
		view.put("status", "active");
		long version = result.version().orElse(0);
		view.put("version", version);
		// An entry that was equal keeps its revision.
		long revision = (result.written()) ? version
				: EntryCondition.revision(id, this.editor.present()).orElse(version);
		return new Tagged(view, EntryCondition.tag(revision));
	}

	static <T> T answered(Supplier<T> work) {
		try {
			return work.get();
		}
		catch (EditForbiddenException ex) {
			throw new ApiException(FORBIDDEN, String.valueOf(ex.getMessage()));
		}
		catch (EditConflictException ex) {
			throw new ApiException(CONFLICT, String.valueOf(ex.getMessage()));
		}
		catch (RuleSourceException ex) {
			throw new ApiException(UNAVAILABLE, "the source of live rules is unavailable: " + ex.getMessage());
		}
		catch (InvalidRuleException ex) {
			throw ApiException.badRequest(ex.getMessage() + ". " + ex.action());
		}
		catch (IllegalArgumentException ex) {
			throw ApiException.badRequest(String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * A view, and its entity tag.
	 *
	 * @param view the view
	 * @param tag the tag
	 */
	record Tagged(Map<String, Object> view, String tag) {
	}

}
