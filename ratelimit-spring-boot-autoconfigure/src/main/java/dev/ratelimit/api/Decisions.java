package dev.ratelimit.api;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import dev.ratelimit.Decision;
import dev.ratelimit.Verdict;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.rule.ShownText;
import dev.ratelimit.web.ExpectedVerdict;
import dev.ratelimit.web.HandlerMappings;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.response.RateLimitHeaders;

/**
 * Makes and forecasts decisions for other services. Thread-safe.
 */
final class Decisions {

	/** Limited, because each rule requires a call of the store. */
	private static final int MAX_RULES = 100;

	private final RequestedCharges rules;

	private final SimulatedCharges requests;

	private final ClientAddresses addresses;

	private final InstantSource clock;

	/**
	 * Create decisions.
	 * @param engine makes decisions
	 * @param gate matches requests
	 * @param mappings find the handler of a request
	 * @param clock the clock
	 */
	Decisions(RateLimitEngine engine, RequestGate gate, HandlerMappings mappings, InstantSource clock) {
		this.rules = new RequestedCharges(engine);
		this.requests = new SimulatedCharges(gate, engine, mappings);
		this.addresses = gate.addresses();
		this.clock = clock;
	}

	CompletableFuture<RequestProgress> check(CheckRequest check, Optional<RetryKey> retry) {
		if (check instanceof CheckRequest.OfRequest request) {
			return this.requests.charge(request.request(), request.cost(), retry);
		}
		CheckRequest.OfRule ofRule = (CheckRequest.OfRule) check;
		return this.rules
			.charge(new CheckRequest.OfRule(ofRule.rule(), canonical(ofRule.subject()), ofRule.cost()), retry)
			.thenApply(RequestProgress::of);
	}

	CompletableFuture<Map<String, Object>> expected(String ruleId, String subject, long cost, Optional<String> plan) {
		CompiledRule rule = this.rules.required(ruleId);
		requirePlan(plan, List.of(rule), "the rule has no plan");
		return this.rules.peek(rule, canonical(subject), plan).thenApply((seen) -> {
			List<ExpectedVerdict> expected = seen.verdicts()
				.stream()
				.map((verdict) -> new ExpectedVerdict(verdict, cost, seen.source()))
				.toList();
			boolean allowed = seen.allowed() && expected.stream().allMatch(ExpectedVerdict::passes);
			return view().expected(seen, allowed, (allowed) ? OptionalLong.empty() : waitSeconds(expected));
		});
	}

	CompletableFuture<Map<String, Object>> status(String named, Optional<String> plan) {
		String subject = canonical((named.contains(":") || named.equals(Subjects.GLOBAL)) ? named : "user:" + named);
		List<CompiledRule> rules = this.rules.of(subject, MAX_RULES);
		requirePlan(plan, rules, "no rule of this subject has a plan");
		List<CompletableFuture<Decision>> seen = new ArrayList<>();
		for (CompiledRule rule : rules) {
			seen.add(this.rules.peek(rule, subject, plan));
		}
		return CompletableFuture.allOf(seen.toArray(CompletableFuture[]::new)).thenApply((all) -> {
			Map<String, Object> status = new LinkedHashMap<>();
			status.put("limits", seen.stream().flatMap((one) -> view().limits(one.join()).stream()).toList());
			return status;
		});
	}

	// A misspelled plan would show the limits of a client without a plan.
	private static void requirePlan(Optional<String> plan, List<CompiledRule> rules, String missing) {
		if (plan.isPresent() && rules.stream().noneMatch((rule) -> rule.plans().containsKey(plan.get()))) {
			throw ApiException.badRequest(missing + " '" + ShownText.of(plan.get()) + "'");
		}
	}

	private String canonical(String subject) {
		return Subjects.of(this.addresses.counted(subject));
	}

	LimitsView view() {
		return new LimitsView(this.clock.millis());
	}

	// A wait that is infinite or unknown is not sent to clients.
	private static OptionalLong waitSeconds(List<ExpectedVerdict> expected) {
		long[] waits = expected.stream().flatMapToLong((verdict) -> verdict.retryAfterMillis().stream()).toArray();
		return (LongStream.of(waits).anyMatch((millis) -> millis == Wait.NEVER)) ? OptionalLong.empty()
				: LongStream.of(waits)
					.filter((millis) -> millis > 0)
					.map((millis) -> -Math.floorDiv(-millis, 1000L))
					.max();
	}

	/**
	 * Decisions as the API shows them. Limits in shadow mode are not shown.
	 *
	 * @param nowMillis the time, in milliseconds since the epoch
	 */
	record LimitsView(long nowMillis) {

		/** The limit with the fewest remaining units first. */
		private static final Comparator<Verdict> LEAST_REMAINING = Comparator.comparingLong(Verdict::remaining);

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
			view.put("reason", decision.reason().tag());
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

		// The time is rounded up, so that a client that waits until then is not rejected
		// again.
		private long resetAt(Verdict verdict) {
			return -Math.floorDiv(-(this.nowMillis + verdict.resetAfterMillis()), 1000L);
		}

		private static Optional<Verdict> tightest(Decision decision) {
			return decision.verdicts()
				.stream()
				.filter((verdict) -> verdict.outcome().measured() && !verdict.policy().shadow())
				.min(LEAST_REMAINING);
		}

	}

}
