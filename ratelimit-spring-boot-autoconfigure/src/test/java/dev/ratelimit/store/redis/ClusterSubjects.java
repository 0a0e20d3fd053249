package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.test.redis.TestCluster;

/**
 * Prepares subjects on each node of the shared cluster and waits for their calls.
 */
final class ClusterSubjects {

	private static final List<BucketFamily> FAMILIES = Algorithms.ids()
		.stream()
		.map((algorithm) -> Demands.family("nobodys", new Limit(algorithm, 10, Duration.ofMinutes(1), 10)))
		.toList();

	private static final List<String> NAMES = TestCluster.shared().apart("nobody");

	private ClusterSubjects() {
	}

	/**
	 * Load the scripts for refunds on each node. A script that a node does not know is
	 * sent again, out of order.
	 */
	static void learnScripts(LimitStore store) {
		for (String name : NAMES) {
			for (BucketFamily family : FAMILIES) {
				store.settle(List.of(new Settlement(new Bucket(family, name), 0, -1))).join();
			}
		}
	}

	/**
	 * Wait for all sent calls by sending another call to each node.
	 */
	static void awaitQuiet(LimitStore store) {
		for (String name : NAMES) {
			store.acquire(Demands.of(Demands.charge(FAMILIES.get(0), name, 0))).join();
		}
	}

}
