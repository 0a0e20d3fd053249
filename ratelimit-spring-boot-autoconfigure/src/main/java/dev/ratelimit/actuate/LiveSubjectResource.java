package dev.ratelimit.actuate;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.ratelimit.Decision;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.Changes;
import dev.ratelimit.base.UnavailableException;
import dev.ratelimit.base.UserEdit;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.ShownText;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Internal: the resource {@code subject}. It shows the remaining units of a subject under
 * a rule without a charge, and releases a subject from all bans and exhausted buckets.
 *
 * @param engine reads and resets the buckets
 * @param blocks further reasons to reject subjects, such as bans
 * @param addresses the addresses by which clients are counted
 * @param events publishes releases
 */
record LiveSubjectResource(RateLimitEngine engine, List<SubjectBlocks> blocks, ClientAddresses addresses,
		ApplicationEventPublisher events) implements LiveResource {

	private static final String NO_RESPONSE = "the store did not respond: it is unknown what was released; try again";

	@Override
	public String name() {
		return "subject";
	}

	@Override
	public boolean operated() {
		return true;
	}

	/**
	 * Show the remaining units of a subject. The plan of a client is known only during a
	 * request, so the buckets of all plans are shown unless the request specifies a plan.
	 */
	@Override
	public Optional<Object> read(LiveRequest request) {
		CompiledRule rule = this.engine.editions().current().required(request.required("rule"));
		String canonical = named(request.subject(request.path()));
		Map<String, Object> status = new LinkedHashMap<>();
		status.put("rule", rule.rule().id());
		status.put("subject", canonical);
		Optional<String> plan = request.value("plan");
		plan.ifPresent((name) -> requirePlan(rule, name));
		boolean planned = rule.limitsByPlan(canonical);
		plan.filter((name) -> planned).ifPresent((name) -> status.put("plan", name));
		Decision seen = await(peek(rule, canonical, plan));
		status.put("source", EnumNames.of(seen.source()));
		status.put("limits", limits(seen));
		if (planned && plan.isEmpty()) {
			status.put("plans", plans(rule, canonical));
		}
		return Optional.of(status);
	}

	private static void requirePlan(CompiledRule rule, String plan) {
		if (!rule.plans().containsKey(plan)) {
			throw new IllegalArgumentException("the rule '" + rule.id() + "' has no plan '" + ShownText.of(plan)
					+ "'; its plans are " + new TreeSet<>(rule.plans().keySet()));
		}
	}

	private Map<String, Object> plans(CompiledRule rule, String subject) {
		Map<String, CompletableFuture<Decision>> seen = new TreeMap<>();
		rule.plans().keySet().forEach((plan) -> seen.put(plan, peek(rule, subject, Optional.of(plan))));
		Map<String, Object> plans = new LinkedHashMap<>();
		seen.forEach((plan, decision) -> plans.put(plan, limits(await(decision))));
		return plans;
	}

	private static List<Map<String, Object>> limits(Decision seen) {
		return seen.verdicts()
			.stream()
			.filter((verdict) -> verdict.outcome().measured())
			.map((verdict) -> VerdictDescription.of(verdict, seen.source()))
			.toList();
	}

	/**
	 * Release a subject: reset its buckets of all rules with its key, and lift its bans.
	 * The buckets of rules whose key has further parts are not reset, so the response
	 * names these rules.
	 */
	@Override
	public Optional<Object> delete(LiveRequest request) {
		request.requireOnly("subject", "note");
		String subject = named(request.subject(request.path()));
		String note = request.note();
		List<String> rules = ids(this.engine.rules(subject));
		List<String> furtherParts = ids(this.engine.rulesWithPart(subject));
		Changes resets = new Changes(rules.stream()
			.collect(Collectors.toMap(Function.identity(),
					(rule) -> this.engine.reset(rule, subject).thenApply((nothing) -> true))));
		Changes lifts = lift(subject, request.user());
		Optional<UnavailableException> notReset = resets.await(SubjectStatus.TIMEOUT_MILLIS, NO_RESPONSE);
		Optional<UnavailableException> notLifted = lifts.await(SubjectStatus.TIMEOUT_MILLIS, NO_RESPONSE);
		List<String> reset = resets.made();
		List<String> lifted = lifts.made();
		if (!reset.isEmpty() || !lifted.isEmpty()) {
			this.events.publishEvent(new UserEdit(request.user(), "release", note,
					List.of("reset " + reset + ", lifted " + lifted + " " + subject)));
		}
		notReset.or(() -> notLifted).ifPresent((unavailable) -> {
			throw unavailable;
		});
		if (rules.isEmpty() && lifted.isEmpty()) {
			throw new IllegalArgumentException("no rule has subjects such as '" + subject
					+ "', and it is not banned; 'GET /actuator/ratelimit' shows the keys of the rules"
					+ ((furtherParts.isEmpty()) ? "" : ", of which those of " + furtherParts + " have further parts"));
		}
		Map<String, Object> released = new LinkedHashMap<>();
		released.put("subject", subject);
		released.put("reset", reset);
		released.put("notReset", furtherParts);
		released.put("lifted", lifted);
		return Optional.of(released);
	}

	private Changes lift(String subject, String user) {
		Map<String, CompletableFuture<Boolean>> lifts = new HashMap<>();
		this.blocks.forEach((block) -> lifts.putAll(block.lift(subject, user).byName()));
		return new Changes(lifts);
	}

	private static List<String> ids(List<CompiledRule> rules) {
		return rules.stream().map((rule) -> rule.rule().id()).toList();
	}

	private String named(String subject) {
		if (subject.isBlank()) {
			throw new IllegalArgumentException("enter a subject, such as user:alice");
		}
		return Subjects.of(this.addresses.counted(subject));
	}

	private CompletableFuture<Decision> peek(CompiledRule rule, String subject, Optional<String> plan) {
		return this.engine.peek(new AppliedRule(rule, rule.limits(subject, plan), subject, 0));
	}

	private static Decision await(CompletableFuture<Decision> seen) {
		return UnavailableException.await(seen, SubjectStatus.TIMEOUT_MILLIS, "the store did not respond");
	}

}
