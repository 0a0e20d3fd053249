package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;

/**
 * Internal: what a subject has left of a limit, as JSON.
 */
public final class VerdictDescription {

	private VerdictDescription() {
	}

	/**
	 * Describe a verdict.
	 * @param verdict the verdict
	 * @return its values by name
	 */
	public static Map<String, Object> of(Verdict verdict) {
		Map<String, Object> limit = new LinkedHashMap<>();
		limit.put("policy", verdict.policy().name());
		limit.put("limit", verdict.policy().limit().map(Limit::toString).orElseGet(() -> verdict.outcome().tag()));
		limit.put("burst", verdict.policy().capacity());
		if (verdict.outcome().measured()) {
			limit.put("remaining", verdict.remaining());
			limit.put("nextUnitMillis", verdict.nextUnitMillis());
			limit.put("resetAfterMillis", verdict.resetAfterMillis());
		}
		return limit;
	}

}
