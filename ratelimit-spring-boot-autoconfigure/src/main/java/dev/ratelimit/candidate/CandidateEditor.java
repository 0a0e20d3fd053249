package dev.ratelimit.candidate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.base.EditForbiddenException;
import dev.ratelimit.base.RulePermit;
import dev.ratelimit.base.UserEdit;
import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleDiff;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.edit.EditRehearsal;
import dev.ratelimit.live.edit.EditRequest;
import dev.ratelimit.live.edit.EditResult;
import dev.ratelimit.live.edit.RuleEditor;
import dev.ratelimit.rule.ShownText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Starts, promotes, and ends candidates. Thread-safe.
 */
final class CandidateEditor {

	private static final Log logger = LogFactory.getLog(CandidateEditor.class);

	private final RuleEditor editor;

	private final CandidateStore store;

	private final ApplicationEventPublisher events;

	/**
	 * Create an editor.
	 * @param editor changes the rules
	 * @param store the store of the candidate
	 * @param events publishes the edits of users
	 */
	CandidateEditor(RuleEditor editor, CandidateStore store, ApplicationEventPublisher events) {
		this.editor = editor;
		this.store = store;
		this.events = events;
	}

	/**
	 * Start a candidate that consists of the newest rules with a changed entry of one
	 * rule.
	 * @param rule the id of the rule
	 * @param definition its properties, as YAML or JSON
	 * @param request the user, and the version that was read before
	 * @return the version of the candidate, and its changes
	 * @throws EditConflictException if another user changed the rule since, or there is
	 * another candidate
	 * @throws IllegalArgumentException if the definition cannot be used
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rules cannot be used
	 * @throws RuleSourceException if the source is unavailable
	 */
	EditResult startRule(String rule, String definition, EditRequest request) {
		Map<String, Object> entry = RuleText.definition(definition);
		request.permit().requireRule(rule);
		Optional<RuleDocument> present = this.editor.present();
		request.requireUnchanged(rule, present);
		Map<String, Object> next = new LinkedHashMap<>(present.map(RuleDocument::rules).orElse(Map.of()));
		next.put(rule, entry);
		EditRehearsal rehearsal = this.editor.rehearse(present, next, request);
		rehearsal.requireApplied(rule);
		return start(present, rehearsal, request);
	}

	/**
	 * Start a candidate that replaces the entries of all rules.
	 * @param document the document, as YAML or JSON
	 * @param request the user, and the version of the present document
	 * @return the version of the candidate, and its changes
	 */
	EditResult startDocument(String document, EditRequest request) {
		Map<String, Object> next = RuleText.document(document);
		Optional<RuleDocument> present = this.editor.present();
		EditRehearsal.requirePermit(present, next, request.permit());
		long head = present.map(RuleDocument::version).orElse(0L);
		if (request.version() != head) {
			throw new EditConflictException(
					"the rules were changed since: the newest version is " + head + "; you read " + request.version());
		}
		return start(present, this.editor.rehearse(present, next, request), request);
	}

	private EditResult start(Optional<RuleDocument> present, EditRehearsal rehearsal, EditRequest request) {
		if (rehearsal.changes().isEmpty()) {
			throw new IllegalArgumentException("the candidate changes no rule");
		}
		List<String> warnings = this.editor.warnings(rehearsal);
		if (request.dryRun()) {
			return EditResult.ofDryRun(rehearsal.changes(), warnings);
		}
		long version = RuleEditor
			.written(() -> this.store.write(present, rehearsal.next(), request.user(), request.note()), "candidate");
		recordEdit(request.user(), version, "started", request.note(), rehearsal.changes());
		return new EditResult(OptionalLong.of(version), true, OptionalLong.empty(), rehearsal.changes(), warnings);
	}

	/**
	 * Write the candidate as the next version of the rules, and end the candidate. The
	 * rules must not have changed since the version that the candidate is based on.
	 * @param version the version of the candidate that the user has read
	 * @param request the user, and the version that the candidate is based on
	 * @return the changes; empty if there is no candidate
	 * @throws EditConflictException if there is another candidate, or the rules have
	 * changed since
	 * @throws RuleSourceException if the source is unavailable
	 */
	Optional<EditResult> promote(long version, EditRequest request) {
		return this.store.read()
			.map(CandidateStore.Counted::document)
			.map((candidate) -> promote(candidate, version, request));
	}

	private EditResult promote(CandidateDocument candidate, long version, EditRequest request) {
		requirePermit(candidate, request.permit());
		requireVersion(candidate, version);
		if (request.version() != candidate.base()) {
			throw new EditConflictException("the candidate is based on version " + candidate.base()
					+ "; you read version " + request.version());
		}
		EditResult result = this.editor.replace(candidate.rules(), request);
		if (!request.dryRun()) {
			endPromoted(candidate, request.user());
		}
		return result;
	}

	// The rules are already written, so a failure is only logged: no instance compares
	// the candidate after they have become active.
	private void endPromoted(CandidateDocument candidate, String user) {
		try {
			this.store.end(candidate.version(), user);
		}
		catch (RuleSourceException ex) {
			logger.warn("The candidate " + candidate.version() + " was promoted, but could not be removed: "
					+ ex.getMessage());
		}
	}

	/**
	 * End the candidate.
	 * @param version the version of the candidate that the user has read
	 * @param permit the rules that the user may change
	 * @param user the user that ends it
	 * @param note the reason; may be empty
	 * @return the version of the candidate; empty if there is no candidate
	 * @throws EditForbiddenException if it changes a rule that the user may not change
	 * @throws EditConflictException if there is another candidate
	 * @throws RuleSourceException if the store is unavailable
	 */
	OptionalLong end(long version, RulePermit permit, String user, String note) {
		ShownText.requireNote(note);
		Optional<CandidateDocument> present = this.store.read().map(CandidateStore.Counted::document);
		present.ifPresent((candidate) -> {
			requirePermit(candidate, permit);
			requireVersion(candidate, version);
		});
		if (present.isEmpty()
				|| !RuleEditor.written(() -> this.store.end(present.get().version(), user), "candidate")) {
			return OptionalLong.empty();
		}
		recordEdit(user, present.get().version(), "discarded", note, List.of());
		return OptionalLong.of(present.get().version());
	}

	// Another user may have replaced the candidate after the user read it.
	private static void requireVersion(CandidateDocument candidate, long version) {
		if (candidate.version() != version) {
			throw new EditConflictException("the candidate is version " + candidate.version() + " by "
					+ candidate.user() + "; you read version " + version);
		}
	}

	// If the base version is not kept, the permit is checked for the differences from the
	// present rules.
	private void requirePermit(CandidateDocument candidate, RulePermit permit) {
		Optional<RuleDocument> base = (candidate.base() == 0) ? Optional.empty()
				: this.editor.version(candidate.base()).or(this.editor::present);
		EditRehearsal.requirePermit(base, candidate.rules(), permit);
	}

	private void recordEdit(String user, long version, String what, String note, List<RuleChange> changes) {
		logger.info(ShownText.of(user) + " " + what + " the candidate " + version
				+ ((changes.isEmpty()) ? "" : ": " + RuleDiff.line(changes))
				+ ((note.isEmpty()) ? "" : " (" + note + ")"));
		this.events.publishEvent(new UserEdit(user, what + " candidate " + version, note,
				changes.stream().map(RuleDiff::text).toList()));
	}

}
