package dev.ratelimit.envoy;

import java.util.List;

import dev.ratelimit.test.redis.TestCluster;

/**
 * The descriptors of a call are charged in different nodes of a cluster, all of them or
 * none.
 */
class EnvoyClusterVectorsTests extends EnvoyVectorsContract {

	@Override
	List<String> store() {
		return List.of("--ratelimit.store=redis",
				"--spring.data.redis.cluster.nodes=" + TestCluster.shared().addresses());
	}

	@Override
	boolean measuresWhatIsNotCharged() {
		return false;
	}

}
