package dev.ratelimit.store.redis;

import dev.ratelimit.store.StoreStage;

/**
 * Leases of limits that lie together with others.
 */
class JointKeyLeasingTests extends LeasingTests {

	@Override
	StoreStage before(StoreStage redis) {
		return new JoiningLimitStore(redis);
	}

}
