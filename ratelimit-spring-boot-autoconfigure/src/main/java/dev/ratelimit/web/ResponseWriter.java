package dev.ratelimit.web;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.BucketFamily;

import org.springframework.http.MediaType;

/**
 * Turns decisions into what is written: header fields on every response, and the whole
 * response to a refused request. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ResponseWriter {

	/**
	 * The fields that an earlier phase may have set: a refusal replaces all of them.
	 */
	public static final List<String> FIELDS = List.of("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit",
			"X-RateLimit-Remaining", "X-RateLimit-Reset");

	private static final int TOO_MANY_REQUESTS = 429;

	private static final int SERVICE_UNAVAILABLE = 503;

	private static final int FORBIDDEN = 403;

	private static final Comparator<Verdict> BY_NAME = Comparator.comparing((verdict) -> verdict.policy().name());

	private final RateLimitEngine engine;

	private final InstantSource clock;

	// By identity, which costs no hash of a whole record: there is one policy per limit,
	// made with its rule. Not changed any more once it is here.
	private volatile Map<Policy, PolicyText> texts = new IdentityHashMap<>();

	private final RateLimitHeaders headers = new RateLimitHeaders(this::text);

	/**
	 * A writer.
	 * @param engine knows the rules
	 * @param clock tells the time of day
	 */
	public ResponseWriter(RateLimitEngine engine, InstantSource clock) {
		this.engine = engine;
		this.clock = clock;
	}

	/**
	 * Prepare what is constant for the rules of a set. The engine must have them already.
	 * @param rules the set
	 */
	public void use(RuleSet rules) {
		Map<Policy, PolicyText> made = new IdentityHashMap<>();
		for (String id : rules.rules().keySet()) {
			List<BucketFamily> families = this.engine.rule(id).map(CompiledRule::families).orElse(List.of());
			families.forEach((family) -> made.put(family.policy(), PolicyText.of(family.policy())));
		}
		this.texts = made;
	}

	/**
	 * The header fields that tell of a decision.
	 * @param decision the decision
	 * @return the fields; setting them replaces those of an earlier phase
	 */
	public List<HeaderField> fields(Decision decision) {
		return this.headers.fields(inOrder(decision), this.clock.millis());
	}

	/**
	 * The response to a refused request.
	 * @param decision the refusal
	 * @param path the request's raw path, with the context path
	 * @return the response
	 */
	public Refusal refusal(Decision decision, String path) {
		List<Verdict> violated = RateLimitHeaders.violated(decision);
		int status = status(violated.get(0));
		List<String> names = violated.stream()
			.map((verdict) -> verdict.policy().name())
			.sorted()
			.collect(Collectors.toList());
		Problem problem = (violated.get(0).outcome() != Outcome.KEY_MISSING)
				? Problem.of(status, RateLimitHeaders.retryAfterSeconds(decision), path, names)
				: Problem.ofMissingKey(status, path, names);
		byte[] body = problem.json().getBytes(StandardCharsets.UTF_8);
		List<HeaderField> fields = new ArrayList<>(fields(decision));
		fields.add(new HeaderField("Content-Type", MediaType.APPLICATION_PROBLEM_JSON_VALUE));
		return new Refusal(status, List.copyOf(fields), body);
	}

	/**
	 * The response to an admitted request that would have to be held, where too many are
	 * held already.
	 * @param passage how far the request has come
	 * @param path the request's raw path, with the context path
	 * @return the response
	 */
	public Refusal overcrowded(Passage passage, String path) {
		long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(passage.holdNanos()) + 1);
		List<String> names = passage.decision()
			.verdicts()
			.stream()
			.filter((verdict) -> verdict.delayMillis() > 0)
			.map((verdict) -> verdict.policy().name())
			.sorted()
			.toList();
		Problem problem = Problem.of(SERVICE_UNAVAILABLE, seconds, path, names);
		return new Refusal(SERVICE_UNAVAILABLE,
				List.of(new HeaderField("Retry-After", Long.toString(seconds)),
						new HeaderField("Cache-Control", "no-store"),
						new HeaderField("Content-Type", MediaType.APPLICATION_PROBLEM_JSON_VALUE)),
				problem.json().getBytes(StandardCharsets.UTF_8));
	}

	private int status(Verdict verdict) {
		if (verdict.outcome() == Outcome.FAILED_CLOSED) {
			return SERVICE_UNAVAILABLE;
		}
		Rule rule = this.engine.rule(verdict.policy().ruleId()).map(CompiledRule::rule).orElse(null);
		if (rule != null && rule.status().isPresent()) {
			return rule.status().getAsInt();
		}
		if (verdict.outcome() == Outcome.KEY_MISSING || verdict.outcome() == Outcome.BLOCKED) {
			return FORBIDDEN;
		}
		return (rule != null && isEverybodys(rule)) ? SERVICE_UNAVAILABLE : TOO_MANY_REQUESTS;
	}

	// A bucket that callers share is the server's shortage, not the caller's excess.
	private static boolean isEverybodys(Rule rule) {
		return rule.key()
			.stream()
			.allMatch((part) -> part.kind() == KeyPart.Kind.GLOBAL || part.kind() == KeyPart.Kind.ROUTE);
	}

	private static Decision inOrder(Decision decision) {
		if (decision.verdicts().size() < 2) {
			return decision;
		}
		List<Verdict> sorted = new ArrayList<>(decision.verdicts());
		sorted.sort(BY_NAME);
		return new Decision(decision.allowed(), decision.reason(), decision.source(), sorted, decision.reservation());
	}

	// A request on its way may still carry a policy of the set before.
	private PolicyText text(Policy policy) {
		PolicyText known = this.texts.get(policy);
		return (known != null) ? known : PolicyText.of(policy);
	}

}
