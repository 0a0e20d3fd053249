package dev.ratelimit.live.edit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.base.RulePermit;
import dev.ratelimit.base.UserEdit;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.RuleDiff;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.RuleVersion;
import dev.ratelimit.live.UnreadableRulesException;
import dev.ratelimit.live.WritableRuleSource;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.rule.InvalidRuleException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Internal: changes the rules of a source. Every edit contains the version that its user
 * has read, is prepared as a whole, and is written only if the rules have not changed
 * since. Thread-safe.
 */
public final class RuleEditor {

	private static final Log logger = LogFactory.getLog(RuleEditor.class);

	private static final int ATTEMPTS = 5;

	private final Optional<RuleSource> source;

	private final EffectiveRules rules;

	private final ApplicationEventPublisher events;

	private final Supplier<List<String>> warnings;

	/**
	 * Create an editor.
	 * @param source the source; empty if there is none
	 * @param rules the rules, to prepare edits
	 * @param events publishes the edits of users
	 * @param warnings provides the current warnings for all edits
	 */
	public RuleEditor(Optional<RuleSource> source, EffectiveRules rules, ApplicationEventPublisher events,
			Supplier<List<String>> warnings) {
		this.source = source;
		this.rules = rules;
		this.events = events;
		this.warnings = warnings;
	}

	/**
	 * Write the entry of a rule. It replaces an existing entry.
	 * @param rule the id of the rule
	 * @param definition the properties, as YAML or JSON
	 * @param request the user, and the version that was read before
	 * @return the changes
	 * @throws EditConflictException if another user has changed the rule since
	 * @throws IllegalArgumentException if the definition is invalid
	 * @throws InvalidRuleException if the rules are invalid
	 * @throws RuleSourceException if the source is unavailable
	 */
	public EditResult write(String rule, String definition, EditRequest request) {
		Map<String, Object> entry = RuleText.definition(definition);
		return edit(rule, request, (present) -> request.requireUnchanged(rule, present), (former) -> Optional.of(entry))
			.orElseThrow();
	}

	/**
	 * Remove the entry of a rule; the application's own rule stays.
	 * @param rule the id of the rule
	 * @param request the user, and the version that was read before
	 * @return the changes; empty if there is no entry
	 */
	Optional<EditResult> remove(String rule, EditRequest request) {
		return edit(rule, request, (present) -> request.requireUnchanged(rule, present), (former) -> Optional.empty());
	}

	/**
	 * Change the entry of a rule, if the current document fulfills a condition.
	 * @param rule the id of the rule
	 * @param request the user; the condition replaces the version that was read
	 * @param condition throws an exception if the document does not fulfill it
	 * @param change creates the next entry from the current one, which is empty if there
	 * is none; called again if the rules change meanwhile
	 * @return the changes; empty if there is no entry and none is created
	 */
	public Optional<EditResult> edit(String rule, EditRequest request, Consumer<Optional<RuleDocument>> condition,
			Function<Map<String, Object>, Optional<Map<String, Object>>> change) {
		for (int i = 0; i < ATTEMPTS; i++) {
			Optional<RuleDocument> present = present();
			Map<String, Object> next = new LinkedHashMap<>(present.map(RuleDocument::rules).orElse(Map.of()));
			Optional<Map<String, Object>> entry = change.apply(entry(next, rule));
			entry.ifPresent((properties) -> next.put(rule, properties));
			if (entry.isEmpty() && next.remove(rule) == null) {
				return Optional.empty();
			}
			EditRehearsal.requirePermit(present, next, request.permit());
			condition.accept(present);
			EditRehearsal rehearsal = rehearse(present, next, request);
			rehearsal.requireApplied(rule);
			Optional<EditResult> written = writeOrDryRun(present, rehearsal, request);
			if (written.isPresent()) {
				return written;
			}
		}
		throw new EditConflictException("the rules change too often; try again");
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> entry(Map<String, Object> entries, String rule) {
		return (Map<String, Object>) entries.getOrDefault(rule, Map.of());
	}

	/**
	 * Replace all entries, if the rules have not changed since.
	 * @param next the entries by rule id
	 * @param request the user, and the version of the current document
	 * @return the changes
	 * @throws EditConflictException if the version is not that of the current document
	 */
	public EditResult replace(Map<String, Object> next, EditRequest request) {
		Optional<RuleDocument> present = replaceable(request.permit());
		EditRehearsal.requirePermit(present, next, request.permit());
		long head = present.map(RuleDocument::version).orElse(0L);
		if (request.version() == head) {
			EditRehearsal rehearsal = rehearse(present, next, request);
			Optional<EditResult> written = writeOrDryRun(present, rehearsal, request);
			if (written.isPresent()) {
				return written.get();
			}
			head = replaceable(request.permit()).map(RuleDocument::version).orElse(0L);
		}
		throw new EditConflictException(
				"the rules were changed since: the newest version is " + head + "; you read " + request.version());
	}

	// An unreadable document can be replaced as a whole, by users that may change all
	// rules.
	private Optional<RuleDocument> replaceable(RulePermit permit) {
		try {
			return present();
		}
		catch (UnreadableRulesException ex) {
			permit.requireAll("changes of rules that cannot be read");
			return Optional.of(ex.replaced(this.rules.document().map(RuleDocument::rules).orElse(Map.of())));
		}
	}

	/**
	 * Write the text of a former version as the next one.
	 * @param version the former version
	 * @param request the user, and the version of the current document
	 * @return the changes; empty if the source does not keep that version
	 */
	public Optional<EditResult> rollback(long version, EditRequest request) {
		return version(version).map((former) -> replace(former.rules(), request));
	}

	public EditRehearsal rehearse(Optional<RuleDocument> present, Map<String, Object> next, EditRequest request) {
		RuleText.readable(next);
		return EditRehearsal.of(this.rules, name(), present, next, request);
	}

	// Empty if the rules were changed meanwhile.
	private Optional<EditResult> writeOrDryRun(Optional<RuleDocument> present, EditRehearsal rehearsal,
			EditRequest request) {
		List<String> all = warnings(rehearsal);
		if (request.dryRun()) {
			return Optional.of(EditResult.ofDryRun(rehearsal.changes(), all));
		}
		String digest = RuleText.digest(rehearsal.next());
		Optional<RuleDocument> equal = present.filter((document) -> document.digest().equals(digest));
		if (equal.isPresent()) {
			// No new version is written, because it would remove an older, different
			// version from the history.
			return Optional.of(new EditResult(OptionalLong.of(equal.get().version()), false, OptionalLong.empty(),
					rehearsal.changes(), all));
		}
		RuleEdit edit = new RuleEdit(present.map(RuleDocument::version).orElse(0L), rehearsal.next(),
				rehearsal.replaced(), request.user(), request.note(), rehearsal.changes());
		if (written(() -> writable().write(edit), "versions") instanceof WriteResult.Written written) {
			log(written.version(), edit);
			return Optional.of(new EditResult(OptionalLong.of(written.version()), true, written.activateAtMillis(),
					rehearsal.changes(), all));
		}
		return Optional.empty();
	}

	public List<String> warnings(EditRehearsal rehearsal) {
		List<String> all = new ArrayList<>(rehearsal.warnings());
		all.addAll(rehearsal.notApplied().values().stream().map((entry) -> "Not applied: " + entry).toList());
		all.addAll(this.warnings.get());
		return all;
	}

	private void log(long version, RuleEdit edit) {
		logger.info(edit.user() + " wrote version " + version + " of the rules in " + name() + ": "
				+ RuleDiff.line(edit.changes()) + ((edit.note().isEmpty()) ? "" : " (" + edit.note() + ")"));
		this.events.publishEvent(new UserEdit(edit.user(), "version " + version, edit.note(),
				edit.changes().stream().map(RuleDiff::text).toList()));
	}

	/**
	 * Return the document on which edits are based: the newest document of a writable
	 * source, otherwise the active document.
	 * @return the document; empty if there is none
	 * @throws RuleSourceException if the source is unavailable
	 */
	public Optional<RuleDocument> present() {
		return (this.source.orElse(null) instanceof WritableRuleSource writable) ? writable.newest()
				: this.rules.document();
	}

	/**
	 * Return the history of the source, newest first.
	 * @param max the maximum number of versions
	 * @return the versions; empty if the source has no history
	 */
	List<RuleVersion> history(int max) {
		return (this.source.orElse(null) instanceof WritableRuleSource writable) ? writable.history(max) : List.of();
	}

	/**
	 * Return the document of a version of the source.
	 * @param version the version
	 * @return the document; empty if the source does not keep it
	 */
	public Optional<RuleDocument> version(long version) {
		return (this.source.orElse(null) instanceof WritableRuleSource writable) ? writable.version(version)
				: this.rules.document().filter((active) -> active.version() == version);
	}

	/**
	 * Write to the source. The message of a failure contains the part that the user
	 * should check before another attempt.
	 * @param <T> the type of the result
	 * @param write writes to the source
	 * @param shownBy the part of the endpoint that shows the written content
	 * @return the result
	 * @throws RuleSourceException if the source cannot be written
	 */
	public static <T> T written(Supplier<T> write, String shownBy) {
		try {
			return write.get();
		}
		catch (UnreadableRulesException ex) {
			throw ex;
		}
		catch (RuleSourceException ex) {
			throw new RuleSourceException(ex.getMessage()
					+ ". If only the response was lost, the change was made: 'GET " + shownBy + "' shows it", ex);
		}
	}

	private WritableRuleSource writable() {
		if (this.source.orElse(null) instanceof WritableRuleSource writable) {
			return writable;
		}
		throw new EditConflictException(
				this.source.map((found) -> "the rules in '" + found.name() + "' are read-only here; change them there")
					.orElse("there is no source of live rules; set 'ratelimit.live.source'"));
	}

	/**
	 * Return the name of the source.
	 * @return the name; {@code none} if there is none
	 */
	String name() {
		return this.source.map(RuleSource::name).orElse("none");
	}

}
