package dev.ratelimit.actuate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.Decision;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledLimits;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.lease.LeaseStatus;

/**
 * Internal: reads the remaining units of subjects, and resets their buckets.
 *
 * @param engine the engine
 * @param leases the units that this instance has leased, if the store supports leasing
 */
public record SubjectStatus(RateLimitEngine engine, Optional<LeaseStatus> leases) {

	/** Longer than the usual deadline, so that the store guard responds first. */
	public static final long TIMEOUT_MILLIS = 5000;

	Map<String, Object> of(CompiledRule rule, String subject, Optional<String> plan)
			throws InterruptedException, ExecutionException, TimeoutException {
		String canonical = Subjects.of(subject);
		CompiledLimits limits = rule.limits(canonical, plan);
		Decision decision = this.engine.peek(new AppliedRule(rule, limits, canonical, 0))
			.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
		Map<String, Object> status = new LinkedHashMap<>();
		status.put("rule", rule.rule().id());
		status.put("subject", canonical);
		plan.filter((name) -> rule.limitsByPlan(canonical)).ifPresent((name) -> status.put("plan", name));
		status.put("source", EnumNames.of(decision.source()));
		status.put("limits",
				decision.verdicts()
					.stream()
					.map((verdict) -> VerdictDescription.of(verdict, decision.source()))
					.toList());
		this.leases.ifPresent((store) -> status.put("held", held(store, limits, canonical)));
		return status;
	}

	void reset(String rule, String subject) throws InterruptedException, ExecutionException, TimeoutException {
		this.engine.reset(rule, subject).get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
	}

	// Leased units: the store counts them as used, but this instance can still spend
	// them.
	private static long held(LeaseStatus leases, CompiledLimits limits, String subject) {
		return limits.families().stream().mapToLong((family) -> leases.held(new Bucket(family, subject))).sum();
	}

}
