package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.Rule;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * A rule that applies to a request, and by which pattern. Immutable.
 *
 * @param rule the rule
 * @param pattern the path pattern that matched
 * @param path the path that the pattern matched
 */
record MatchedRule(WebRule rule, PathPattern pattern, PathContainer path) {

	String id() {
		return this.rule.compiled().rule().id();
	}

	/**
	 * Whose buckets the rule charges.
	 * @param request the request
	 * @return the subject; null if the rule does not apply, or must be refused
	 */
	@Nullable String subject(GateRequest request) {
		this.rule.observed().sawMatch();
		return subject(request, true);
	}

	/**
	 * Whose buckets the rule would charge. Counts as no request.
	 * @param request the request
	 * @return the subject; null if the rule would not apply, or must be refused
	 */
	@Nullable String wouldBe(GateRequest request) {
		return subject(request, false);
	}

	private @Nullable String subject(GateRequest request, boolean counts) {
		List<WebRule.SubjectPart> key = this.rule.key();
		if (key.size() == 1) {
			return part(request, 0, counts);
		}
		List<String> parts = new ArrayList<>(key.size());
		for (int i = 0; i < key.size(); i++) {
			String part = part(request, i, counts);
			if (part == null) {
				return null;
			}
			parts.add(part);
		}
		return Subjects.join(parts);
	}

	private @Nullable String part(GateRequest request, int index, boolean counts) {
		Optional<String> found = this.rule.key().get(index).find(request, this);
		if (found.isPresent()) {
			return found.get();
		}
		if (counts) {
			this.rule.observed().sawNoKey();
		}
		Rule written = this.rule.compiled().rule();
		return switch (written.key().onMissing()) {
			case SHARED -> Subjects.missing(written.key().parts().get(index).kind().word());
			case IP -> SubjectParts.ip(request).orElseThrow();
			case SKIP, DENY -> null;
		};
	}

}
