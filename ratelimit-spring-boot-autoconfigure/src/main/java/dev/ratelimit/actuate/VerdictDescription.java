package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.Limit;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;

/**
 * Internal: a description of the remaining units of a subject under a limit, as JSON.
 */
public final class VerdictDescription {

	private VerdictDescription() {
	}

	/**
	 * Describe a verdict. The description contains no numbers while the store is
	 * unavailable, because the counts of this instance are not those of the store.
	 * @param verdict the verdict
	 * @param source the source of the decision
	 * @return the values by name
	 */
	static Map<String, Object> of(Verdict verdict, Source source) {
		Map<String, Object> limit = new LinkedHashMap<>();
		limit.put("policy", verdict.policy().name());
		limit.put("limit", verdict.policy().limit().map(Limit::toString).orElseGet(() -> verdict.outcome().tag()));
		limit.put("burst", verdict.policy().capacity());
		if (verdict.outcome().measured() && source != Source.FALLBACK) {
			limit.put("remaining", verdict.remaining());
			limit.put("nextUnitMillis", verdict.nextUnitMillis());
			limit.put("resetAfterMillis", verdict.resetAfterMillis());
		}
		return limit;
	}

}
