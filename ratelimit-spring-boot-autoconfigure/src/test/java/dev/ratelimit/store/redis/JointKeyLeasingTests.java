package dev.ratelimit.store.redis;

import dev.ratelimit.store.LimitStore;

/**
 * Loans of limits that lie together with others.
 */
class JointKeyLeasingTests extends LeasingTests {

	@Override
	LimitStore before(LimitStore redis) {
		return new JoiningLimitStore(redis);
	}

}
