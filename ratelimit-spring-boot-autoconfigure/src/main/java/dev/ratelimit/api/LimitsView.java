package dev.ratelimit.api;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.web.response.RateLimitHeaders;

/**
 * Decisions as the API shows them. Limits in shadow mode are not shown.
 *
 * @param nowMillis the time, in milliseconds since the epoch
 */
record LimitsView(long nowMillis) {

	/** The limit that leaves the least. */
	private static final Comparator<Verdict> TIGHTEST = Comparator.comparingLong(Verdict::remaining);

	Map<String, Object> check(Decision decision, long jitterSeconds) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("allowed", decision.allowed());
		tightest(decision).ifPresent((verdict) -> {
			view.put("remaining", verdict.remaining());
			view.put("limit", verdict.policy().capacity());
			view.put("reset_at", resetAt(verdict));
		});
		if (!decision.allowed()) {
			view.put("remaining", 0L);
			RateLimitHeaders.retryAfterSeconds(decision, jitterSeconds)
				.ifPresent((seconds) -> view.put("retry_after", seconds));
		}
		view.put("reason", EnumNames.of(decision.reason()));
		view.put("limits", limits(decision));
		return view;
	}

	Map<String, Object> expected(Decision seen, boolean allowed, OptionalLong retryAfterSeconds) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("allow", allowed);
		tightest(seen).ifPresent((verdict) -> {
			view.put("limit", verdict.policy().capacity());
			view.put("remaining", verdict.remaining());
			view.put("resetAt", resetAt(verdict));
		});
		retryAfterSeconds.ifPresent((seconds) -> view.put("retryAfter", seconds));
		return view;
	}

	List<Map<String, Object>> limits(Decision decision) {
		return decision.verdicts()
			.stream()
			.filter((verdict) -> verdict.outcome().measured() && !verdict.policy().shadow())
			.map(this::limit)
			.toList();
	}

	private Map<String, Object> limit(Verdict verdict) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("name", verdict.policy().name());
		view.put("limit", verdict.policy().capacity());
		view.put("remaining", verdict.remaining());
		view.put("reset_at", resetAt(verdict));
		return view;
	}

	// Waits are rounded up: a client that follows them is not rejected again.
	private long resetAt(Verdict verdict) {
		return -Math.floorDiv(-(this.nowMillis + verdict.resetAfterMillis()), 1000L);
	}

	private static Optional<Verdict> tightest(Decision decision) {
		return decision.verdicts()
			.stream()
			.filter((verdict) -> verdict.outcome().measured() && !verdict.policy().shadow())
			.min(TIGHTEST);
	}

}
