package dev.ratelimit.test.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A running Redis Cluster of three masters, always of processes. Ordinary tests use the
 * {@link #shared() shared} one. A test that disturbs a node {@link #start starts} its own
 * and closes it.
 */
public final class TestCluster implements AutoCloseable {

	static final int MASTERS = 3;

	private static final int SLOTS = 16384;

	/** The loss of a node makes only its own slots unavailable. */
	private static final List<String> ARGUMENTS = List.of("--cluster-enabled", "yes", "--cluster-node-timeout", "1000",
			"--cluster-require-full-coverage", "no");

	private static final Once<TestCluster> SHARED = new Once<>(() -> start(true));

	private final List<TestRedis> nodes;

	private final boolean shared;

	private TestCluster(List<TestRedis> nodes, boolean shared) {
		this.nodes = List.copyOf(nodes);
		this.shared = shared;
	}

	/**
	 * Return the cluster that all ordinary tests of this JVM use. The first test starts
	 * it. It cannot be stopped or disturbed, and ends with the JVM.
	 */
	public static TestCluster shared() {
		return SHARED.get();
	}

	/**
	 * Start a cluster for one test. The start takes two seconds, because Redis delays a
	 * new master.
	 */
	public static TestCluster start() {
		return start(false);
	}

	private static TestCluster start(boolean shared) {
		RedisSource source = RedisServers.processes();
		List<TestRedis> started = new ArrayList<>();
		try {
			for (int i = 0; i < MASTERS; i++) {
				started.add(new TestRedis(source.start(ARGUMENTS), shared));
			}
			SourceReport.print(source, started.get(0).node());
			ClusterFormation.join(started, SLOTS);
			if (shared) {
				// A node that a busy machine delays must not be taken for a lost one.
				started.forEach((node) -> node.command("CONFIG", "SET", "cluster-node-timeout", "60000"));
			}
			return new TestCluster(started, shared);
		}
		catch (RuntimeException ex) {
			started.forEach((node) -> node.node().close());
			throw ex;
		}
	}

	/**
	 * Return the addresses of the nodes, in the format of
	 * {@code spring.data.redis.cluster.nodes}.
	 */
	public String addresses() {
		return this.nodes.stream().map((node) -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
	}

	public List<TestRedis> nodes() {
		return this.nodes;
	}

	/**
	 * Return the node of a key or of a hash tag.
	 */
	public TestRedis nodeOf(String tag) {
		return this.nodes.get(slot(tag) * MASTERS / SLOTS);
	}

	private int slot(String tag) {
		return Integer.parseInt(this.nodes.get(0).command("CLUSTER", "KEYSLOT", tag));
	}

	/**
	 * Begin to move the slot of a key from its original node.
	 */
	public SlotMove move(String key, TestRedis target) {
		return new SlotMove(slot(key), nodeOf(key), target, this.nodes);
	}

	/**
	 * Return one name per node, each with the given prefix.
	 */
	public List<String> apart(String beginning) {
		return this.nodes.stream()
			.map((node) -> IntStream.range(0, 1000)
				.mapToObj((number) -> beginning + number)
				.filter((name) -> nodeOf(name) == node)
				.findFirst()
				.orElseThrow())
			.toList();
	}

	/**
	 * Return the keys of all nodes.
	 */
	public List<String> keys(String pattern) {
		return this.nodes.stream().flatMap((node) -> node.keys(pattern).stream()).toList();
	}

	public void flush() {
		this.nodes.forEach((node) -> node.command("FLUSHALL"));
	}

	/**
	 * End the cluster permanently.
	 */
	@Override
	public void close() {
		if (this.shared) {
			throw new IllegalStateException("the shared cluster must stay: use TestCluster.start() for one to harm");
		}
		this.nodes.forEach(TestRedis::close);
	}

}
