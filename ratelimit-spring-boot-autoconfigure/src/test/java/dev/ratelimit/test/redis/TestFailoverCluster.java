package dev.ratelimit.test.redis;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A cluster of three masters with one replica each, all of them processes. A test may
 * kill the processes and must close this object. The master of a slot is looked up each
 * time, because it changes.
 */
public final class TestFailoverCluster implements AutoCloseable {

	private static final int MASTERS = 3;

	private static final int SLOTS = 16384;

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final List<String> ARGUMENTS = Stream
		.concat(Stream.of("--cluster-enabled", "yes", "--cluster-node-timeout", "1000",
				"--cluster-require-full-coverage", "no"), Replication.ARGUMENTS.stream())
		.toList();

	private final List<TestRedis> nodes = new ArrayList<>();

	private TestFailoverCluster() {
	}

	/**
	 * Start a cluster and wait until each node knows all replicas, which takes two to
	 * four seconds.
	 */
	public static TestFailoverCluster start() {
		TestFailoverCluster cluster = new TestFailoverCluster();
		try {
			cluster.startNodes();
			ClusterFormation.join(cluster.nodes, MASTERS, SLOTS);
			return cluster;
		}
		catch (RuntimeException ex) {
			cluster.close();
			throw ex;
		}
	}

	private void startNodes() {
		RedisSource source = RedisServers.processes();
		for (int i = 0; i < 2 * MASTERS; i++) {
			this.nodes.add(new TestRedis(source.start(ARGUMENTS), false));
		}
		SourceReport.print(source, this.nodes.get(0).node());
	}

	/**
	 * Return the addresses of the nodes, in the format of
	 * {@code spring.data.redis.cluster.nodes}.
	 */
	public String addresses() {
		return this.nodes.stream().map((node) -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
	}

	public List<TestRedis> nodes() {
		return List.copyOf(this.nodes);
	}

	/**
	 * Return the slot of a key or of a hash tag.
	 */
	public int slot(String tag) {
		return Integer.parseInt(anyone().command("CLUSTER", "KEYSLOT", tag));
	}

	/**
	 * Return the current master of a slot.
	 */
	public TestRedis master(int slot) {
		return node(members().stream().filter((member) -> member.serves(slot)).findFirst().orElseThrow());
	}

	/**
	 * Return the current replica of a master.
	 */
	public TestRedis replica(TestRedis master) {
		String id = members().stream()
			.filter((member) -> member.port() == master.port())
			.findFirst()
			.orElseThrow()
			.id();
		return node(members().stream().filter((member) -> member.masterId().equals(id)).findFirst().orElseThrow());
	}

	/**
	 * Return one name per master, each with the given prefix.
	 */
	public List<String> apart(String beginning) {
		return IntStream.range(0, 1000)
			.mapToObj((number) -> beginning + number)
			.collect(Collectors.groupingBy((name) -> master(slot(name)).port()))
			.values()
			.stream()
			.map((names) -> names.get(0))
			.toList();
	}

	/**
	 * Wait until the replica of a master has received all data that the master has
	 * written so far.
	 */
	public void awaitReplicated(TestRedis master) {
		Replication.await(master, List.of(replica(master)));
	}

	/**
	 * Start a manual failover of a master to its replica, and wait until all nodes report
	 * it.
	 */
	public void failOver(TestRedis master) {
		TestRedis replica = replica(master);
		replica.command("CLUSTER", "FAILOVER");
		await(this.nodes, (node) -> seen(replica, node).serves() && seen(master, node).replica());
	}

	/**
	 * Wait until a replica has replaced an unavailable master, and all other nodes report
	 * a healthy cluster.
	 */
	public void awaitPromotion(TestRedis replica, TestRedis away) {
		List<TestRedis> witnesses = this.nodes.stream().filter((node) -> node != away).toList();
		await(witnesses, (node) -> seen(replica, node).serves() && isOk(node));
	}

	/**
	 * Wait until all nodes report that all slots are served and that each master has its
	 * replica. A returning former master needs some time to notice that it is a replica.
	 */
	public void awaitOk() {
		await(this.nodes, (node) -> isOk(node) && replicas(node) == this.nodes.size() - MASTERS);
	}

	private static long replicas(TestRedis witness) {
		return ClusterMember.seenBy(witness).stream().filter(ClusterMember::replica).count();
	}

	private static void await(List<TestRedis> nodes, Predicate<TestRedis> condition) {
		Awaitility.await()
			.atMost(LIMIT)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> nodes.stream().allMatch(condition));
	}

	private static ClusterMember seen(TestRedis node, TestRedis witness) {
		return ClusterMember.seenBy(witness)
			.stream()
			.filter((member) -> member.port() == node.port())
			.findFirst()
			.orElseThrow();
	}

	private static boolean isOk(TestRedis node) {
		String info = node.command("CLUSTER", "INFO");
		return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS);
	}

	/**
	 * Begin to move a slot from its master to another one.
	 */
	public SlotMove move(int slot, TestRedis target) {
		return new SlotMove(slot, master(slot), target, this.nodes);
	}

	private TestRedis anyone() {
		return this.nodes.stream().filter(TestFailoverCluster::answers).findFirst().orElseThrow();
	}

	private static boolean answers(TestRedis node) {
		try (RespClient client = RespClient.connect(node.host(), node.port(), Duration.ofMillis(500))) {
			return client.call("PING").equals("PONG");
		}
		catch (UncheckedIOException ex) {
			return false;
		}
	}

	private List<ClusterMember> members() {
		return ClusterMember.seenBy(anyone());
	}

	private TestRedis node(ClusterMember member) {
		return this.nodes.stream().filter((node) -> node.port() == member.port()).findFirst().orElseThrow();
	}

	/**
	 * End all nodes permanently.
	 */
	@Override
	public void close() {
		this.nodes.forEach(TestRedis::close);
	}

}
