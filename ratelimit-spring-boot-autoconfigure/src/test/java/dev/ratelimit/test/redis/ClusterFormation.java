package dev.ratelimit.test.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * Makes a cluster of empty nodes, by commands that Redis 6.2 knows too.
 */
final class ClusterFormation {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private ClusterFormation() {
	}

	static void join(List<RedisNode> nodes, int slots) {
		RedisNode first = nodes.get(0);
		for (int i = 0; i < nodes.size(); i++) {
			// Nodes with one and the same epoch would have to settle who is right.
			call(nodes.get(i), "CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
			call(nodes.get(i), addSlots(firstSlot(i, nodes.size(), slots), firstSlot(i + 1, nodes.size(), slots)));
			call(first, "CLUSTER", "MEET", nodes.get(i).host(), String.valueOf(nodes.get(i).port()));
		}
		Awaitility.await()
			.atMost(LIMIT)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> nodes.stream().allMatch((node) -> isReady(node, nodes.size(), slots)));
	}

	// The least slot whose share of all slots is that of the node.
	private static int firstSlot(int node, int nodes, int slots) {
		return (node * slots + nodes - 1) / nodes;
	}

	private static String[] addSlots(int from, int to) {
		return Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(from, to).mapToObj(String::valueOf))
			.toArray(String[]::new);
	}

	private static boolean isReady(RedisNode node, int nodes, int slots) {
		String info = call(node, "CLUSTER", "INFO");
		return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + slots)
				&& info.contains("cluster_size:" + nodes) && info.contains("cluster_known_nodes:" + nodes);
	}

	private static String call(RedisNode node, String... words) {
		try (RespClient client = RespClient.connect(node.host(), node.port(), Duration.ofSeconds(5))) {
			return client.call(words);
		}
	}

}
