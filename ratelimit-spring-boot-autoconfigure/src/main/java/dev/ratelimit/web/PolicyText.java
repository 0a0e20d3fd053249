package dev.ratelimit.web;

import dev.ratelimit.Policy;

/**
 * What is told of a policy on every response, written once. Immutable.
 *
 * @param item the policy as an item of a list
 * @param alone the field of all policies where this is the only one
 * @param quota the field of the tightest policy's quota where that is this one
 */
record PolicyText(String item, HeaderField alone, HeaderField quota) {

	static PolicyText of(Policy policy) {
		String item = RateLimitHeaders.policyItem(policy);
		return new PolicyText(item, new HeaderField("RateLimit-Policy", item),
				new HeaderField("X-RateLimit-Limit", Long.toString(policy.quota())));
	}

}
