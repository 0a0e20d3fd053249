package dev.ratelimit.test.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.awaitility.Awaitility;

/**
 * A master with two replicas, monitored by three Sentinels, all of them processes. A test
 * may kill the processes and must close this object.
 */
public final class TestSentinel implements AutoCloseable {

	/** The name of the group in the Sentinels. */
	public static final String NAME = "limits";

	private static final int REPLICAS = 2;

	private static final int SENTINELS = 3;

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final List<TestRedis> servers = new ArrayList<>();

	private final List<TestRedis> sentinels = new ArrayList<>();

	private TestSentinel() {
	}

	/**
	 * Start a group and wait until all members know each other, which takes two to three
	 * seconds.
	 */
	public static TestSentinel start() {
		return start(Duration.ofSeconds(1));
	}

	/**
	 * Start a group that keeps its master, also if a busy machine delays it.
	 */
	public static TestSentinel startSteady() {
		return start(Duration.ofMinutes(10));
	}

	private static TestSentinel start(Duration downAfter) {
		TestSentinel group = new TestSentinel();
		try {
			group.startServers();
			group.startSentinels(downAfter);
			return group;
		}
		catch (RuntimeException ex) {
			group.close();
			throw ex;
		}
	}

	private void startServers() {
		RedisSource source = RedisServers.processes();
		TestRedis master = add(this.servers, source.start(Replication.ARGUMENTS));
		SourceReport.print(source, master.node());
		List<String> arguments = new ArrayList<>(Replication.ARGUMENTS);
		arguments.addAll(List.of("--replicaof", master.host(), String.valueOf(master.port())));
		for (int i = 0; i < REPLICAS; i++) {
			add(this.servers, source.start(arguments));
		}
		// A Sentinel that finds no replica at first looks again only after ten seconds.
		Replication.await(master, replicas(master));
	}

	private void startSentinels(Duration downAfter) {
		TestRedis master = this.servers.get(0);
		List<String> configuration = List.of(
				"sentinel monitor %s %s %d 2".formatted(NAME, master.host(), master.port()),
				"sentinel down-after-milliseconds %s %d".formatted(NAME, downAfter.toMillis()),
				"sentinel failover-timeout %s 3000".formatted(NAME),
				"sentinel parallel-syncs %s %d".formatted(NAME, REPLICAS));
		for (int i = 0; i < SENTINELS; i++) {
			add(this.sentinels, RedisServers.processes().startSentinel(configuration));
		}
		Awaitility.await().atMost(LIMIT).until(() -> this.sentinels.stream().allMatch(TestSentinel::knowsAll));
	}

	private static TestRedis add(List<TestRedis> nodes, RedisNode node) {
		TestRedis started = new TestRedis(node, false);
		nodes.add(started);
		return started;
	}

	private static boolean knowsAll(TestRedis sentinel) {
		String seen = sentinel.info("master0");
		return seen.contains("status=ok") && seen.endsWith("slaves=%d,sentinels=%d".formatted(REPLICAS, SENTINELS));
	}

	/**
	 * Return the addresses of the Sentinels, in the format of
	 * {@code spring.data.redis.sentinel.nodes}.
	 */
	public String addresses() {
		return this.sentinels.stream()
			.map((sentinel) -> sentinel.host() + ":" + sentinel.port())
			.collect(Collectors.joining(","));
	}

	public List<TestRedis> sentinels() {
		return List.copyOf(this.sentinels);
	}

	/**
	 * Return the server that the Sentinels currently name as master.
	 */
	public TestRedis master() {
		return namedBy(this.sentinels.get(0));
	}

	/**
	 * Return all servers except the given master.
	 */
	public List<TestRedis> replicas(TestRedis master) {
		return this.servers.stream().filter((server) -> server != master).toList();
	}

	/**
	 * Wait until both replicas have received all data that the master has written so far.
	 * A former master becomes a replica about ten seconds after its return.
	 */
	public void awaitReplicated() {
		TestRedis master = master();
		Replication.await(master, replicas(master));
	}

	/**
	 * Wait until another server is the master and all Sentinels report it.
	 * @param former the previous master
	 * @return the new master
	 */
	public TestRedis awaitPromotion(TestRedis former) {
		Awaitility.await()
			.atMost(LIMIT)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> this.sentinels.stream().map(this::namedBy).distinct().toList(),
					(named) -> named.size() == 1 && named.get(0) != former);
		TestRedis master = master();
		Awaitility.await().until(() -> master.info("role").equals("master"));
		return master;
	}

	private TestRedis namedBy(TestRedis sentinel) {
		String[] address = sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME).split("\n");
		return this.servers.stream()
			.filter((server) -> server.port() == Integer.parseInt(address[1]))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * End all servers permanently.
	 */
	@Override
	public void close() {
		this.sentinels.forEach(TestRedis::close);
		this.servers.forEach(TestRedis::close);
	}

}
