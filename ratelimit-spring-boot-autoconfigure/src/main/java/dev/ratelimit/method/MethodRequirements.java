package dev.ratelimit.method;

import dev.ratelimit.Limit;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.base.CurrentUser;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Refund;
import dev.ratelimit.rule.Rule;

/**
 * What a rule must not ask of a call, which has neither request nor response.
 *
 * @param method the method
 * @param rule the rule
 * @param user who is calling
 */
record MethodRequirements(BeanMethod method, Rule rule, CurrentUser user) {

	void check() {
		this.rule.key().parts().forEach(this::checkKey);
		boolean always = this.rule.key().parts().stream().allMatch((part) -> part.kind() == KeyPart.Kind.GLOBAL);
		require(always || !this.rule.key().writes(MissingKeyPolicy.IP), "on-missing-key: ip",
				"method calls have no client address", "Set it to 'shared', 'skip', or 'deny'.");
		require(this.rule.numbers().cost().kind() == Cost.Kind.FIXED, "cost: " + this.rule.numbers().cost().kind(),
				"method calls have no request to resolve the cost from",
				"Set a number, or inject and call RateLimiter.");
		require(this.rule.numbers().plans().isEmpty(), "plans: " + this.rule.numbers().plans().keySet(),
				"method calls have no request to resolve the plan from", "Use a rule without plans.");
		require(!this.rule.numbers().reserves(), "reserve: " + this.rule.numbers().reserve(),
				"method calls have no level", "Use a rule without 'reserve'.");
		require(this.rule.reaction().refund().equals(Refund.NEVER), "refund", "method calls have no response status",
				"Use a rule without 'refund' and 'count-only'.");
		require(this.rule.reaction().excess().tarpit().isEmpty(), "on-excess: tarpit",
				"method calls have no response to delay", "Use a rule without 'on-excess: tarpit'.");
		if (!LimitedMethod.isDeferred(this.method.method()) && this.rule.reaction().waiting().isEmpty()) {
			this.rule.limits().forEach(this::checkThreads);
			this.rule.numbers().overrides().values().forEach((set) -> set.limits().forEach(this::checkThreads));
		}
	}

	private void checkKey(KeyPart part) {
		switch (part.kind()) {
			case GLOBAL, CALLER -> {
			}
			case USER -> require(this.user.isKnown(), part.toString(), "Spring Security is not on the classpath",
					"Add 'spring-boot-starter-security', or set 'key: global'.");
			default -> require(false, part.toString(), "method calls have no request to resolve the key from",
					"Set 'key' to 'global', 'user', or 'caller', or inject and call RateLimiter.");
		}
	}

	private void checkThreads(Limit limit) {
		require(!Algorithms.of(limit).holdsRequests(), limit.algorithm(), "it would block the calling threads",
				"Return a Mono or a Flux, set 'wait', or use another algorithm.");
	}

	private void require(boolean condition, String value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException("@RateLimited on " + this.method + " (rule '" + this.rule.id() + "')", value,
					reason, action);
		}
	}

}
