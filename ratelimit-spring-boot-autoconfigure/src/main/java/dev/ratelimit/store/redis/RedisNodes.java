package dev.ratelimit.store.redis;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.jspecify.annotations.Nullable;

/**
 * The one server, or the masters of a cluster, as the client knows them at the time. Each
 * has its own clock. Thread-safe.
 */
final class RedisNodes {

	/**
	 * The name of the one server, or of a cluster of which nothing is known yet, and of
	 * what holds a slot that nobody holds.
	 */
	static final String ONE = "redis";

	/** So many keys of the self-test are tried to find one that lies on a node. */
	private static final int TRIES = 100_000;

	private final RedisConnector connector;

	private final DemandEncoder encoder;

	private final InstantSource system;

	/** By the ids that the cluster gives. */
	private final Map<String, String> names = new ConcurrentHashMap<>();

	private final Map<String, ServerClock> clocks = new ConcurrentHashMap<>();

	RedisNodes(RedisConnector connector, DemandEncoder encoder, InstantSource system) {
		this.connector = connector;
		this.encoder = encoder;
		this.system = system;
		this.clocks.put(ONE, new ServerClock(system));
	}

	String of(Bucket bucket) {
		Partitions partitions = partitions();
		if (partitions == null) {
			return ONE;
		}
		RedisClusterNode node = partitions.getPartitionBySlot(SlotHash.getSlot(this.encoder.key(bucket)));
		return (node != null) ? name(node) : ONE;
	}

	Set<String> all() {
		Partitions partitions = partitions();
		if (partitions == null) {
			return Set.of(ONE);
		}
		return partitions.stream()
			.filter((node) -> !node.getSlots().isEmpty())
			.map(this::name)
			.collect(Collectors.toUnmodifiableSet());
	}

	ServerClock clock(String node) {
		ServerClock known = this.clocks.get(node);
		return (known != null) ? known : this.clocks.computeIfAbsent(node, (name) -> new ServerClock(this.system));
	}

	Map<String, Long> clockSkewMillis() {
		Map<String, Long> skews = new TreeMap<>();
		this.clocks.forEach((node, clock) -> clock.skewMillis().ifPresent((skew) -> skews.put(node, skew)));
		return skews;
	}

	/**
	 * A bucket of nobody's that lies on a node.
	 * @param family whose
	 * @param node the node
	 * @return the bucket; any, if nothing is known of the node
	 */
	Bucket testBucket(BucketFamily family, String node) {
		for (int i = 0; i < TRIES && !node.equals(ONE); i++) {
			Bucket bucket = new Bucket(family, "self-test-" + i);
			if (of(bucket).equals(node)) {
				return bucket;
			}
		}
		return new Bucket(family, "self-test");
	}

	private String name(RedisClusterNode node) {
		String known = this.names.get(node.getNodeId());
		return (known != null) ? known : this.names.computeIfAbsent(node.getNodeId(),
				(id) -> node.getUri().getHost() + ":" + node.getUri().getPort());
	}

	private @Nullable Partitions partitions() {
		StatefulConnection<byte[], byte[]> connection = this.connector.connection();
		return (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster) ? cluster.getPartitions()
				: null;
	}

}
