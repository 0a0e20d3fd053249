package dev.ratelimit.test.redis;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * Forms a cluster of empty nodes with commands that Redis 6.2 supports.
 */
final class ClusterFormation {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private ClusterFormation() {
	}

	static void join(List<TestRedis> nodes, int slots) {
		join(nodes, nodes.size(), slots);
	}

	/**
	 * Join nodes into a cluster. The first nodes become masters, and the others become
	 * their replicas in turn.
	 */
	static void join(List<TestRedis> nodes, int masters, int slots) {
		for (int i = 0; i < nodes.size(); i++) {
			TestRedis node = nodes.get(i);
			// Nodes with the same epoch would first have to resolve the conflict.
			node.command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
			nodes.get(0).command("CLUSTER", "MEET", node.host(), String.valueOf(node.port()));
		}
		for (int i = 0; i < masters; i++) {
			nodes.get(i).command(addSlots(firstSlot(i, masters, slots), firstSlot(i + 1, masters, slots)));
		}
		addReplicas(nodes, masters);
		await(nodes, (node) -> isReady(node, nodes.size(), masters, slots));
	}

	private static void addReplicas(List<TestRedis> nodes, int masters) {
		List<TestRedis> replicas = nodes.subList(masters, nodes.size());
		await(replicas, (node) -> ClusterMember.seenBy(node).size() == nodes.size());
		for (int i = 0; i < replicas.size(); i++) {
			replicas.get(i).command("CLUSTER", "REPLICATE", nodes.get(i % masters).command("CLUSTER", "MYID"));
		}
		await(replicas, (node) -> node.info("master_link_status").equals("up"));
	}

	private static void await(List<TestRedis> nodes, Predicate<TestRedis> condition) {
		Awaitility.await()
			.atMost(LIMIT)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> nodes.stream().allMatch(condition));
	}

	// Return the first slot of the range of the node.
	private static int firstSlot(int node, int nodes, int slots) {
		return (node * slots + nodes - 1) / nodes;
	}

	private static String[] addSlots(int from, int to) {
		return Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(from, to).mapToObj(String::valueOf))
			.toArray(String[]::new);
	}

	// A node in state ok may not yet know the replicas.
	private static boolean isReady(TestRedis node, int nodes, int masters, int slots) {
		String info = node.command("CLUSTER", "INFO");
		List<ClusterMember> members = ClusterMember.seenBy(node);
		return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + slots)
				&& info.contains("cluster_size:" + masters) && members.size() == nodes
				&& members.stream().filter(ClusterMember::replica).count() == nodes - masters;
	}

}
