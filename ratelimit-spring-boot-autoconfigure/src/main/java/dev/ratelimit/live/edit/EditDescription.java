package dev.ratelimit.live.edit;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleRevision;
import dev.ratelimit.live.RuleVersion;

/**
 * Internal: reads edits from requests, and describes edits and versions.
 */
public final class EditDescription {

	private EditDescription() {
	}

	/**
	 * Read the common part of all edits.
	 * @param request the request of the user
	 * @return the version that was read, the note, and whether it is a dry run
	 * @throws IllegalArgumentException if one of them is invalid
	 */
	public static EditRequest requested(LiveRequest request) {
		return new EditRequest(LiveRequest.number("version", request.required("version")), request.user(),
				request.note(), request.dryRun(), request.permit());
	}

	public static Map<String, Object> of(EditResult result) {
		Map<String, Object> description = new LinkedHashMap<>();
		result.version().ifPresent((version) -> description.put("version", version));
		result.activateAtMillis()
			.ifPresent((millis) -> description.put("activates", Instant.ofEpochMilli(millis).toString()));
		description.put("changes", of(result.changes()));
		description.put("warnings", result.warnings());
		return description;
	}

	static Map<String, Object> of(RuleVersion version) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("version", version.version());
		description.put("at", version.at().toString());
		description.put("user", version.user());
		description.put("note", version.note());
		description.put("changes", of(version.changes()));
		return description;
	}

	static Map<String, Object> of(RuleRevision revision) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("version", revision.version());
		description.put("at", revision.at().toString());
		description.put("user", revision.user());
		description.put("note", revision.note());
		return description;
	}

	public static List<Map<String, Object>> of(List<RuleChange> changes) {
		return changes.stream().map(EditDescription::of).toList();
	}

	private static Map<String, Object> of(RuleChange change) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("rule", change.rule());
		description.put("property", change.property());
		change.from().ifPresent((from) -> description.put("from", from));
		change.to().ifPresent((to) -> description.put("to", to));
		return description;
	}

}
