package dev.ratelimit.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.Phase;
import dev.ratelimit.RateLimited;
import org.jspecify.annotations.Nullable;

/**
 * Turns the attributes of an annotation into the definition of a rule.
 */
final class AttributeReader {

	private static final RuleDefinition NOTHING = new RuleDefinition(Rule.Match.NONE, List.of(),
			LimitSetDefinition.EMPTY, Map.of(), RuleOptions.EMPTY.with(RuleOptions.COST, "1"));

	private AttributeReader() {
	}

	/**
	 * Whether an annotation writes a rule, beside naming one.
	 * @param location where the annotation is, for messages
	 * @param annotation the annotation
	 * @return whether it has an id or any other attribute of a rule
	 */
	static boolean writes(String location, RateLimited annotation) {
		return !annotation.id().isEmpty() || !definition(location, annotation).equals(NOTHING);
	}

	static RuleDefinition definition(String location, RateLimited annotation) {
		LimitSetDefinition quota = new LimitSetDefinition(
				Arrays.stream(annotation.value()).map(LimitDefinition::of).toList(),
				(annotation.burst() == 0) ? OptionalLong.empty() : OptionalLong.of(annotation.burst()),
				(annotation.algorithm().isEmpty()) ? Optional.empty() : Optional.of(annotation.algorithm()));
		RuleOptions options = RuleOptions.EMPTY.with(RuleOptions.COST, annotation.cost())
			.with(RuleOptions.FAILURE, only(location, "failure", annotation.failure()))
			.with(RuleOptions.MODE, only(location, "mode", annotation.mode()))
			.with(RuleOptions.ON_EXCESS, only(location, "onExcess", annotation.onExcess()))
			.with(RuleOptions.ON_MISSING_KEY, only(location, "onMissingKey", annotation.onMissingKey()))
			.with(RuleOptions.PHASE, (annotation.phase() != Phase.AUTO) ? annotation.phase() : null)
			.with(RuleOptions.STATUS, (annotation.status() != 0) ? annotation.status() : null)
			.with(RuleOptions.IDEMPOTENCY, (annotation.idempotency()) ? true : null)
			.with(RuleOptions.WAIT, waiting(location, annotation.maxWait()))
			.with(RuleOptions.LOCKED, (annotation.locked()) ? true : null)
			.with(RuleOptions.CONSISTENCY, only(location, "consistency", annotation.consistency()));
		return new RuleDefinition(Rule.Match.NONE, List.of(annotation.key()), quota, Map.of(), options);
	}

	private static @Nullable Waiting waiting(String location, String text) {
		try {
			return (text.isEmpty()) ? null : Waiting.parse(text);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(location, text, String.valueOf(ex.getMessage()), "Correct 'maxWait'.");
		}
	}

	private static <T> @Nullable T only(String location, String attribute, T[] values) {
		if (values.length > 1) {
			throw new InvalidRuleException(location, Arrays.toString(values),
					"'" + attribute + "' accepts at most one value", "Keep one of them.");
		}
		return (values.length == 1) ? values[0] : null;
	}

}
