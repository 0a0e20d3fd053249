package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.Ramp;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Reserve;
import dev.ratelimit.rule.RuleOptions;
import org.jspecify.annotations.Nullable;

/**
 * Options of a rule that are written as texts, or in one of two forms.
 */
final class WrittenOptions {

	private WrittenOptions() {
	}

	static RuleOptions of(String location, @Nullable String enforce, @Nullable StatusProperties refund,
			@Nullable StatusProperties countOnly) {
		return RuleOptions.EMPTY.with(RuleOptions.ENFORCE, ramp(location, enforce))
			.with(RuleOptions.REFUND, refund(location, refund, countOnly));
	}

	private static @Nullable Ramp ramp(String location, @Nullable String enforce) {
		try {
			return (enforce != null) ? Ramp.parse(enforce) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(location + ".enforce", String.valueOf(enforce),
					String.valueOf(ex.getMessage()), "Correct the percentage.");
		}
	}

	static @Nullable Reserve reserve(String location, Map<String, String> written) {
		try {
			return (written.isEmpty()) ? null : Reserve.parse(written);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(location + ".reserve", written.toString(), String.valueOf(ex.getMessage()),
					"Use 'critical', 'high', or 'normal', with a percentage or a number of slots, such as"
							+ " 'critical: 20%'.");
		}
	}

	private static @Nullable Refund refund(String location, @Nullable StatusProperties refund,
			@Nullable StatusProperties countOnly) {
		if (refund != null && countOnly != null) {
			throw new InvalidRuleException(location + ".count-only", countOnly.status().toString(),
					"'refund' and 'count-only' are both set", "Keep one of them.");
		}
		if (refund != null) {
			return Refund.of(refund.set(location + ".refund"));
		}
		return (countOnly != null) ? Refund.ofAllBut(countOnly.set(location + ".count-only")) : null;
	}

	static void requireOneForm(String location, @Nullable String limit, List<LimitProperties> limits) {
		if (limit != null && !limits.isEmpty()) {
			throw new InvalidRuleException(location + ".limits", limits.toString(), "'limit' and 'limits' are both set",
					"Keep one of them.");
		}
	}

}
