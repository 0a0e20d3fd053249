package dev.ratelimit.live.edit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.Decision;
import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.actuate.SubjectStatus;
import dev.ratelimit.actuate.VerdictDescription;
import dev.ratelimit.base.UnavailableException;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Subjects;

/**
 * Internal: {@code subject}, what a subject has left of a rule. Charges nothing.
 *
 * @param engine reads the buckets
 */
record LiveSubjectResource(RateLimitEngine engine) implements LiveResource {

	@Override
	public String name() {
		return "subject";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		CompiledRule rule = this.engine.editions().current().required(request.required("rule"));
		String subject = request.required("subject");
		if (subject.isBlank()) {
			throw new IllegalArgumentException("enter a subject, such as user:alice");
		}
		String canonical = Subjects.of(subject);
		Map<String, Object> status = new LinkedHashMap<>();
		status.put("rule", rule.rule().id());
		status.put("subject", canonical);
		status.put("limits",
				peek(rule, canonical).verdicts()
					.stream()
					.filter((verdict) -> verdict.outcome().measured())
					.map(VerdictDescription::of)
					.toList());
		return Optional.of(status);
	}

	private Decision peek(CompiledRule rule, String subject) {
		return UnavailableException.await(this.engine.peek(AppliedRule.of(rule, subject, 0)),
				SubjectStatus.PATIENCE_MILLIS, "the store did not respond");
	}

}
