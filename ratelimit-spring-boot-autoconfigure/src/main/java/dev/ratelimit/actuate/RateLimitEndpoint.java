package dev.ratelimit.actuate;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.Decision;
import dev.ratelimit.Limit;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.RuleUse;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.Quota;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleRegistry;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.lease.LeaseStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * What is in force, what a subject has left, and a fresh start for a subject.
 *
 * @since 0.1.0
 */
@Endpoint(id = "ratelimit")
public final class RateLimitEndpoint {

	private static final long PATIENCE_MILLIS = 5000;

	private final RateLimitEngine engine;

	private final RuleRegistry registry;

	private final LimitStore store;

	private final Optional<StoreStatus> status;

	private final Optional<LeaseStatus> leases;

	/**
	 * An endpoint.
	 * @param engine decides
	 * @param registry holds the rules
	 * @param store the store in use
	 * @param status the store's status, if it can be away
	 * @param leases what this instance has borrowed, if the store lends
	 */
	public RateLimitEndpoint(RateLimitEngine engine, RuleRegistry registry, LimitStore store,
			Optional<StoreStatus> status, Optional<LeaseStatus> leases) {
		this.engine = engine;
		this.registry = registry;
		this.store = store;
		this.status = status;
		this.leases = leases;
	}

	/**
	 * Everything in force.
	 * @return the store and all rules
	 */
	@ReadOperation
	public Map<String, Object> overview() {
		Map<String, Object> store = new LinkedHashMap<>();
		store.put("name", this.store.name());
		store.put("state", this.status.map((known) -> word(known.health())).orElse("up"));
		this.status.ifPresent((known) -> describe(known, store));
		this.status.map(StoreStatus::lastFailure)
			.filter((failure) -> !failure.isEmpty())
			.ifPresent((failure) -> store.put("lastFailure", failure));
		Map<String, Object> rules = new LinkedHashMap<>();
		this.registry.current().rules().forEach((id, rule) -> rules.put(id, describe(rule)));
		Map<String, Object> overview = new LinkedHashMap<>();
		overview.put("enabled", true);
		overview.put("version", this.registry.current().version());
		overview.put("store", store);
		overview.put("rules", rules);
		return overview;
	}

	private static void describe(StoreStatus status, Map<String, Object> store) {
		store.put("circuit", word(status.circuit()));
		if (status.nodes().size() > 1) {
			Map<String, String> nodes = new LinkedHashMap<>();
			status.nodes().forEach((node, state) -> nodes.put(node, word(state)));
			store.put("nodes", nodes);
		}
		store.put("inFlight", status.inFlight());
	}

	/**
	 * One rule, or what a subject has left of it. The whole path is one selector: after a
	 * selector of its own, WebFlux would count the rule among the remaining segments.
	 * @param path the rule's id, and the segments of the subject, if one is asked for
	 * @return the rule or the subject's limits, or nothing if there is no such rule
	 * @throws Exception if the store does not answer
	 */
	@ReadOperation
	public @Nullable Map<String, Object> read(@Selector(match = Match.ALL_REMAINING) String... path) throws Exception {
		return (path.length != 1) ? status(path[0], subject(path)) : rule(path[0]);
	}

	/**
	 * Start a subject's buckets afresh.
	 * @param path the rule's id, and the segments of the subject
	 * @return no content, not found if there is no such rule, or service unavailable if
	 * the store does not answer
	 * @throws InterruptedException if interrupted
	 */
	@DeleteOperation
	public WebEndpointResponse<Void> delete(@Selector(match = Match.ALL_REMAINING) String... path)
			throws InterruptedException {
		if (path.length < 2) {
			throw new InvalidEndpointRequestException("No subject", "Name the subject after the rule");
		}
		if (this.engine.rule(path[0]).isEmpty()) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		try {
			reset(path[0], subject(path));
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		}
		catch (ExecutionException | TimeoutException ex) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
	}

	/**
	 * One rule.
	 * @param rule the rule's id
	 * @return the rule, or nothing if there is none of this id
	 */
	public @Nullable Map<String, Object> rule(String rule) {
		Rule found = this.registry.current().rules().get(rule);
		return (found != null) ? describe(found) : null;
	}

	/**
	 * What a subject has left. Charges nothing.
	 * @param rule the rule's id
	 * @param subject the subject, such as {@code user:alice}; it may hold slashes
	 * @return its limits, or nothing if there is no such rule
	 * @throws Exception if the store does not answer
	 */
	public @Nullable Map<String, Object> status(String rule, String... subject) throws Exception {
		CompiledRule found = this.engine.rule(rule).orElse(null);
		if (found == null) {
			return null;
		}
		String canonical = Subjects.of(String.join("/", subject));
		Decision decision = this.engine
			.decide(List.of(RuleUse.of(found, canonical, 0)), Optional.empty(), this.engine.deadline().toNanos())
			.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
		Map<String, Object> status = new LinkedHashMap<>();
		status.put("rule", rule);
		status.put("subject", canonical);
		status.put("source", word(decision.source()));
		status.put("limits", decision.verdicts().stream().map(RateLimitEndpoint::describe).toList());
		this.leases.map((known) -> held(known, found, canonical)).ifPresent((held) -> status.put("held", held));
		return status;
	}

	/**
	 * Start a subject's buckets afresh.
	 * @param rule the rule's id
	 * @param subject the subject
	 * @throws InterruptedException if interrupted
	 * @throws ExecutionException if the store cannot answer
	 * @throws TimeoutException if the store does not answer
	 */
	public void reset(String rule, String... subject)
			throws InterruptedException, ExecutionException, TimeoutException {
		this.engine.reset(rule, String.join("/", subject)).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
	}

	// Units that count as used, and that this instance may still spend.
	private static long held(LeaseStatus leases, CompiledRule rule, String subject) {
		return rule.families().stream().mapToLong((family) -> leases.held(new Bucket(family, subject))).sum();
	}

	private static String[] subject(String[] path) {
		return Arrays.copyOfRange(path, 1, path.length);
	}

	private static Map<String, Object> describe(Rule rule) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("origin", word(rule.origin()));
		description.put("paths", rule.match().paths());
		description.put("exceptPaths", rule.match().exceptPaths());
		description.put("methods", rule.match().methods());
		description.put("key", rule.key().stream().map(Object::toString).toList());
		description.put("limits", describe(rule.quota()));
		if (!rule.plans().isEmpty()) {
			Map<String, Object> plans = new LinkedHashMap<>();
			rule.plans().forEach((plan, quota) -> plans.put(plan, describe(quota)));
			description.put("plans", plans);
		}
		description.put("cost", (rule.cost().estimated()) ? rule.cost().toString() : rule.cost().units());
		description.put("failure", word(rule.failure()));
		description.put("consistency", word(rule.consistency()));
		description.put("mode", word(rule.mode()));
		description.put("onMissingKey", word(rule.onMissingKey()));
		description.put("phase", word(rule.phase()));
		rule.status().ifPresent((status) -> description.put("status", status));
		description.put("idempotency", rule.idempotency());
		if (!rule.refund().equals(Refund.NEVER)) {
			description.put("refund", rule.refund().text());
		}
		if (!rule.replaces().isEmpty()) {
			description.put("replaces", rule.replaces());
		}
		rule.bucket().ifPresent((bucket) -> description.put("bucket", bucket));
		return description;
	}

	private static Object describe(Quota quota) {
		if (quota.kind() != Quota.Kind.LIMITED) {
			return word(quota.kind());
		}
		return quota.limits().stream().map(RateLimitEndpoint::describe).toList();
	}

	private static Map<String, Object> describe(Limit limit) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("limit", limit.toString());
		description.put("burst", limit.burst());
		description.put("algorithm", limit.algorithm());
		if (limit.credit() > 0) {
			description.put("credit", limit.credit());
		}
		limit.calendar().ifPresent((calendar) -> description.put("zone", calendar.zone().getId()));
		if (limit.algorithm().equals("concurrency")) {
			description.put("lease", limit.period().toString());
		}
		return description;
	}

	private static Map<String, Object> describe(Verdict verdict) {
		Map<String, Object> limit = new LinkedHashMap<>();
		limit.put("policy", verdict.policy().name());
		limit.put("limit", verdict.policy().limit().map(Limit::toString).orElseGet(() -> word(verdict.outcome())));
		limit.put("burst", verdict.policy().quota());
		if (verdict.outcome().measured()) {
			limit.put("remaining", verdict.remaining());
			limit.put("nextUnitMillis", verdict.nextUnitMillis());
			limit.put("resetAfterMillis", verdict.resetAfterMillis());
		}
		return limit;
	}

	private static String word(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
