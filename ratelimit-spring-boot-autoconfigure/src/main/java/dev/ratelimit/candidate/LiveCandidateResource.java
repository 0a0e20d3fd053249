package dev.ratelimit.candidate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.live.edit.EditDescription;
import dev.ratelimit.live.edit.EditResult;

/**
 * Internal: {@code candidate}, rules that are compared with the active ones, and
 * {@code candidate/promote}.
 *
 * @param candidate compares the candidate
 * @param editor starts, promotes, and ends the candidate
 */
record LiveCandidateResource(LiveCandidate candidate, CandidateEditor editor) implements LiveResource {

	private static final String PROMOTE = "promote";

	@Override
	public String name() {
		return "candidate";
	}

	// The live page polls, so a missing candidate must not be an error.
	@Override
	public Optional<Object> read(LiveRequest request) {
		return (request.path().isEmpty())
				? Optional.of(this.candidate.report().map(LiveCandidateResource::of).orElse(Map.of("version", 0)))
				: Optional.empty();
	}

	private static Map<String, Object> of(CandidateReport report) {
		CandidateDocument document = report.document();
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("version", document.version());
		description.put("base", document.base());
		description.put("by", document.user());
		description.put("note", document.note());
		description.put("settled", report.settled());
		description.put("changes", EditDescription.of(report.changes()));
		description.put("rules", report.counts());
		report.rejected().ifPresent((reason) -> description.put("rejected", reason));
		return description;
	}

	// The editor checks the permit for each rule.
	@Override
	public boolean permitsTeams() {
		return true;
	}

	@Override
	public Optional<Object> write(LiveRequest request) {
		if (request.path().isEmpty()) {
			request.requireOnly("rule", "definition", "version", "note", "dryRun");
			return Optional.of(EditDescription.of(start(request)));
		}
		if (!request.path().equals(List.of(PROMOTE))) {
			return Optional.empty();
		}
		request.requireOnly("candidate", "version", "note", "dryRun");
		return this.editor.promote(version(request), EditDescription.requested(request)).map(EditDescription::of);
	}

	private static long version(LiveRequest request) {
		return LiveRequest.number("candidate", request.required("candidate"));
	}

	private EditResult start(LiveRequest request) {
		String definition = request.required("definition");
		return request.value("rule")
			.map((rule) -> this.editor.startRule(rule, definition, EditDescription.requested(request)))
			.orElseGet(() -> this.editor.startDocument(definition, EditDescription.requested(request)));
	}

	@Override
	public Optional<Object> delete(LiveRequest request) {
		if (!request.path().isEmpty()) {
			return Optional.empty();
		}
		request.requireOnly("candidate", "note");
		OptionalLong ended = this.editor.end(version(request), request.permit(), request.user(), request.note());
		return (ended.isPresent()) ? Optional.of(Map.of("version", ended.getAsLong(), "ended", true))
				: Optional.empty();
	}

}
