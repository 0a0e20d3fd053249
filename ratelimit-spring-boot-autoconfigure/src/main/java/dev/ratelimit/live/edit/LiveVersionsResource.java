package dev.ratelimit.live.edit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleText;

/**
 * Internal: the resource {@code versions}, the history of the source, and
 * {@code versions/9}, one version. A POST request to a former version writes its content
 * again as the newest version.
 *
 * @param editor reads and changes rules
 */
record LiveVersionsResource(RuleEditor editor) implements LiveResource {

	private static final int MAX_VERSIONS = 50;

	@Override
	public String name() {
		return "versions";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		if (request.path().isEmpty()) {
			return Optional
				.of(Map.of("versions", this.editor.history(MAX_VERSIONS).stream().map(EditDescription::of).toList()));
		}
		return this.editor.version(version(request)).map(LiveVersionsResource::of);
	}

	private static Object of(RuleDocument document) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("version", document.version());
		description.put("digest", document.digest());
		description.put("rules", document.rules());
		description.put("text", RuleText.of(document.rules()));
		return description;
	}

	@Override
	public boolean permitsTeams() {
		return true;
	}

	@Override
	public Optional<Object> write(LiveRequest request) {
		if (request.path().isEmpty()) {
			return Optional.empty();
		}
		request.requireOnly("version", "note", "dryRun");
		return this.editor.rollback(version(request), EditDescription.requested(request)).map(EditDescription::of);
	}

	private static long version(LiveRequest request) {
		return LiveRequest.number("version", String.join("/", request.path()));
	}

}
