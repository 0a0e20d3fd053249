package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.web.ExpectedVerdict;
import dev.ratelimit.web.Explanation;
import dev.ratelimit.web.RuleExplanation;

/**
 * An explanation in words.
 */
final class ExplanationDescription {

	private ExplanationDescription() {
	}

	static Map<String, Object> of(Explanation explanation) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("request", explanation.enquiry().method() + " " + explanation.enquiry().uri());
		description.put("outcome", explanation.outcome());
		explanation.handler().ifPresent((handler) -> description.put("handler", handler));
		explanation.note().ifPresent((note) -> description.put("note", note));
		explanation.level().ifPresent((level) -> description.put("level", EnumNames.of(level)));
		explanation.seat().ifPresent((seat) -> description.put("wouldShed", seat.shed()));
		Map<String, Object> rules = new LinkedHashMap<>();
		explanation.rules().forEach((rule) -> rules.put(rule.rule().id(), of(rule)));
		description.put("rules", rules);
		return description;
	}

	private static Map<String, Object> of(RuleExplanation rule) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("applies", rule.applies());
		description.put("reason", rule.reason());
		rule.use().ifPresent((use) -> describe(rule, use, description));
		return description;
	}

	private static void describe(RuleExplanation rule, RuleExplanation.Use use, Map<String, Object> description) {
		description.put("phase", EnumNames.of(use.phase()));
		description.put("mode", EnumNames.of(rule.rule().reaction().mode()));
		description.put("reaction", EnumNames.of(rule.rule().reaction().excess().policy()));
		rule.rule().reaction().excess().ban().ifPresent((ban) -> description.put("ban", ban.text()));
		description.put("key", rule.rule().key().parts().stream().map(Object::toString).toList());
		use.subject().ifPresent((subject) -> description.put("subject", subject));
		use.plan().ifPresent((plan) -> description.put("plan", plan));
		description.put("cost", use.cost());
		description.put("outcome", use.outcome());
		use.line()
			.ifPresent((line) -> description.put("line",
					Map.of("length", line.length(), "estimateMillis", line.estimate().toMillis())));
		description.put("limits", use.prospects().stream().map(ExplanationDescription::of).toList());
	}

	private static Map<String, Object> of(ExpectedVerdict prospect) {
		Map<String, Object> description = VerdictDescription.of(prospect.verdict());
		description.put("passes", prospect.passes());
		prospect.retryAfterMillis()
			.ifPresent((millis) -> description.put("retryAfterMillis", (millis == Wait.NEVER) ? "never" : millis));
		return description;
	}

}
