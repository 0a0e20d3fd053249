package dev.ratelimit.annotation;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKey;
import dev.ratelimit.Phase;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.QuotaDefinition;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDefinition;
import dev.ratelimit.rule.RuleOptions;

/**
 * Turns the attributes of an annotation into the definition of a rule.
 */
final class AttributeReader {

	private static final RuleDefinition NOTHING = new RuleDefinition(Rule.Match.NONE, List.of(), QuotaDefinition.EMPTY,
			Map.of(),
			options(Optional.of("1"), Optional.empty(), Optional.empty(), Optional.empty(), Phase.AUTO, 0, false),
			false);

	private AttributeReader() {
	}

	/**
	 * Whether an annotation writes a rule, beside naming one.
	 * @param culprit where the annotation is, for messages
	 * @param annotation the annotation
	 * @return whether it has an id or any other attribute of a rule
	 */
	static boolean writes(String culprit, RateLimited annotation) {
		return !annotation.id().isEmpty() || !definition(culprit, annotation).equals(NOTHING);
	}

	static RuleDefinition definition(String culprit, RateLimited annotation) {
		QuotaDefinition quota = new QuotaDefinition(Arrays.stream(annotation.value()).map(LimitDefinition::of).toList(),
				(annotation.burst() == 0) ? OptionalLong.empty() : OptionalLong.of(annotation.burst()),
				(annotation.algorithm().isEmpty()) ? Optional.empty() : Optional.of(annotation.algorithm()));
		RuleOptions options = options(Optional.of(annotation.cost()), only(culprit, "failure", annotation.failure()),
				only(culprit, "mode", annotation.mode()), only(culprit, "onMissingKey", annotation.onMissingKey()),
				annotation.phase(), annotation.status(), annotation.idempotency())
			.with(only(culprit, "consistency", annotation.consistency()));
		return new RuleDefinition(Rule.Match.NONE, List.of(annotation.key()), quota, Map.of(), options, false);
	}

	private static RuleOptions options(Optional<String> cost, Optional<FailurePolicy> failure, Optional<RuleMode> mode,
			Optional<MissingKey> onMissingKey, Phase phase, int status, boolean idempotency) {
		return new RuleOptions(cost, failure, mode, onMissingKey,
				(phase == Phase.AUTO) ? Optional.empty() : Optional.of(phase),
				(status == 0) ? OptionalInt.empty() : OptionalInt.of(status),
				(idempotency) ? Optional.of(true) : Optional.empty(), Optional.empty(), List.of(), Optional.empty());
	}

	private static <T> Optional<T> only(String culprit, String attribute, T[] values) {
		if (values.length > 1) {
			throw new InvalidRuleException(culprit, Arrays.toString(values),
					"'" + attribute + "' takes at most one value", "Keep one of them.");
		}
		return Arrays.stream(values).findFirst();
	}

}
