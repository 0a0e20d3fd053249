package dev.ratelimit.observation;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;
import dev.ratelimit.observation.RateLimitObservationDocumentation.HighCardinalityKeyNames;
import dev.ratelimit.observation.RateLimitObservationDocumentation.LowCardinalityKeyNames;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The default {@link RateLimitObservationConvention}, which applications can extend.
 *
 * @since 0.1.0
 * @see RateLimitObservationDocumentation
 */
public class DefaultRateLimitObservationConvention implements RateLimitObservationConvention {

	@Override
	public String getName() {
		return "ratelimit.acquire";
	}

	@Override
	public String getContextualName(RateLimitObservationContext context) {
		return "ratelimit acquire";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(RateLimitObservationContext context) {
		return KeyValues.of(LowCardinalityKeyNames.PHASE.withValue(context.getPhase()),
				LowCardinalityKeyNames.OUTCOME
					.withValue(text(context, (decision) -> (decision.allowed()) ? "allowed" : "rejected")),
				LowCardinalityKeyNames.SOURCE.withValue(text(context, (decision) -> word(decision.source()))),
				LowCardinalityKeyNames.REASON.withValue(text(context, (decision) -> decision.reason().tag())));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RateLimitObservationContext context) {
		return KeyValues.of(
				HighCardinalityKeyNames.RULES
					.withValue(text(context, (decision) -> rules(decision, (verdict) -> true))),
				HighCardinalityKeyNames.REJECTED_BY
					.withValue(text(context, (decision) -> rules(decision, (verdict) -> !verdict.outcome().passes()))),
				HighCardinalityKeyNames.REMAINING
					.withValue(text(context, DefaultRateLimitObservationConvention::remaining)));
	}

	private static String text(RateLimitObservationContext context, Function<Decision, String> value) {
		return Optional.ofNullable(context.getDecision())
			.map(value)
			.filter((text) -> !text.isEmpty())
			.orElse(KeyValue.NONE_VALUE);
	}

	private static String rules(Decision decision, Predicate<Verdict> which) {
		List<String> rules = decision.verdicts()
			.stream()
			.filter(which)
			.map((verdict) -> verdict.policy().ruleId())
			.distinct()
			.toList();
		return String.join(",", rules);
	}

	private static String remaining(Decision decision) {
		OptionalLong fewest = decision.verdicts()
			.stream()
			.filter((verdict) -> verdict.outcome().measured() && !verdict.policy().shadow())
			.mapToLong(Verdict::remaining)
			.min();
		return fewest.stream().mapToObj(Long::toString).collect(Collectors.joining());
	}

	private static String word(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

}
