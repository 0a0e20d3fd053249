package dev.ratelimit.web;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.Decision;
import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.store.BucketFamily;

/**
 * Turns decisions into header fields, on every response. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ResponseWriter {

	/**
	 * The fields that an earlier phase may have set: a refusal replaces all of them.
	 */
	public static final List<String> FIELDS = List.of("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit",
			"X-RateLimit-Remaining", "X-RateLimit-Reset");

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
