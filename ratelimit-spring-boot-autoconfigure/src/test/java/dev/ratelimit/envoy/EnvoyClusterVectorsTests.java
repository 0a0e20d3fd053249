package dev.ratelimit.envoy;

import java.util.List;

import dev.ratelimit.test.redis.TestCluster;

/**
 * Tests that the descriptors of a call on several nodes of a cluster are charged together
 * or not at all.
 */
class EnvoyClusterVectorsTests extends EnvoyVectorsContract {

	@Override
	List<String> store() {
		return List.of("--ratelimit.deadline=20s", "--ratelimit.store=redis",
				"--spring.data.redis.cluster.nodes=" + TestCluster.shared().addresses());
	}

	@Override
	boolean measuresWhatIsNotCharged() {
		return false;
	}

}
