package dev.ratelimit.store.redis;

import dev.ratelimit.store.StoreStage;

/**
 * Tests leases of limits with a joint key.
 */
class JointKeyLeasingTests extends LeasingTests {

	@Override
	StoreStage before(StoreStage redis) {
		return new JoiningLimitStore(redis);
	}

}
