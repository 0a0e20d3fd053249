package dev.ratelimit.store.redis;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.BucketSlots;
import dev.ratelimit.store.Time;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.jspecify.annotations.Nullable;

/**
 * The only server, or the masters of a cluster that the client currently knows. Each node
 * has its own clock. Thread-safe.
 */
final class RedisNodes {

	/** The maximum number of keys that are tried to find a key on a given node. */
	private static final int MAX_ATTEMPTS = 100_000;

	private final RedisConnector connector;

	private final RequestEncoder encoder;

	private final RedisClock clock;

	private final InstantSource system;

	private final Time time;

	/**
	 * The name of the only server, of a cluster before its nodes are known, and of the
	 * owner of a slot without a node.
	 */
	private final String one;

	private final NodeNames names = new NodeNames();

	private final Map<String, ServerClock> clocks = new ConcurrentHashMap<>();

	RedisNodes(RedisConnector connector, RequestEncoder encoder, RedisClock clock, InstantSource system, Time time) {
		this.connector = connector;
		this.one = connector.name();
		this.encoder = encoder;
		this.clock = clock;
		this.system = system;
		this.time = time;
		this.clocks.put(this.one, new ServerClock(system, time));
	}

	String of(Bucket bucket) {
		Partitions partitions = partitions();
		if (partitions == null) {
			return this.one;
		}
		RedisClusterNode node = partitions.getPartitionBySlot(SlotHash.getSlot(this.encoder.key(bucket)));
		return (node != null) ? this.names.of(node) : this.one;
	}

	Set<String> all() {
		Partitions partitions = partitions();
		if (partitions == null) {
			return Set.of(this.one);
		}
		List<RedisClusterNode> present = partitions.stream().filter((node) -> !node.getSlots().isEmpty()).toList();
		Set<String> all = present.stream().map(this.names::of).collect(Collectors.toUnmodifiableSet());
		this.names.retain(present);
		this.clocks.keySet().removeIf((node) -> !node.equals(this.one) && !all.contains(node));
		return all;
	}

	ServerClock clock(String node) {
		ServerClock existing = this.clocks.get(node);
		return (existing != null) ? existing
				: this.clocks.computeIfAbsent(node, (name) -> new ServerClock(this.system, this.time));
	}

	/**
	 * Return the time by the clock that buckets use, as far as it is known.
	 * @param bucket the bucket
	 * @return milliseconds
	 */
	long nowMillis(Bucket bucket) {
		return nowMillis(clock(of(bucket)));
	}

	long nowMillis(ServerClock server) {
		return this.clock.nowMillis(server);
	}

	long earliestMillisAt(ServerClock server, long momentNanos) {
		return this.clock.earliestMillisAt(server, momentNanos);
	}

	Optional<BucketSlots> slots(RedisKeys keys) {
		return (this.connector.isCluster()) ? Optional.of(new HashSlots(keys, this.encoder)) : Optional.empty();
	}

	Map<String, Long> clockSkewMillis() {
		Map<String, Long> skews = new TreeMap<>();
		this.clocks.forEach((node, clock) -> clock.skewMillis().ifPresent((skew) -> skews.put(node, skew)));
		return skews;
	}

	/**
	 * Return a bucket for tests on a given node. No client uses the bucket.
	 * @param family the limit of the bucket
	 * @param node the node
	 * @param subject the start of the bucket's subject
	 * @return the bucket; on any node if the given node is not known
	 */
	Bucket testBucket(BucketFamily family, String node, String subject) {
		for (int i = 0; i < MAX_ATTEMPTS && !node.equals(this.one); i++) {
			Bucket bucket = new Bucket(family, subject + "-" + i);
			if (of(bucket).equals(node)) {
				return bucket;
			}
		}
		return new Bucket(family, subject);
	}

	private @Nullable Partitions partitions() {
		StatefulConnection<byte[], byte[]> connection = this.connector.connection();
		return (connection instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster) ? cluster.getPartitions()
				: null;
	}

	/**
	 * The slots of a cluster. Buckets with the same hash tag share a slot.
	 */
	static final class HashSlots implements BucketSlots {

		private final RedisKeys keys;

		private final RequestEncoder encoder;

		HashSlots(RedisKeys keys, RequestEncoder encoder) {
			this.keys = keys;
			this.encoder = encoder;
		}

		@Override
		public int slotOf(Bucket bucket) {
			return SlotHash.getSlot(this.encoder.key(bucket));
		}

		@Override
		public boolean together(Bucket one, Bucket other) {
			return this.keys.together(one, other);
		}

	}

	/**
	 * The names of nodes, which are created once for each address object of the client.
	 * Thread-safe.
	 */
	static final class NodeNames {

		/** The names by node id. */
		private final Map<String, Name> names = new ConcurrentHashMap<>();

		/**
		 * Return the name of a node. A node may return with the same id and another
		 * address. The client creates a new address object at every refresh of the
		 * topology.
		 * @param node the node
		 * @return host and port
		 */
		String of(RedisClusterNode node) {
			RedisURI address = node.getUri();
			Name existing = this.names.get(node.getNodeId());
			if (existing == null || existing.address() != address) {
				existing = new Name(address, address.getHost() + ":" + address.getPort());
				this.names.put(node.getNodeId(), existing);
			}
			return existing.text();
		}

		/**
		 * Forget the nodes that have left.
		 * @param present the current nodes
		 */
		void retain(Collection<RedisClusterNode> present) {
			this.names.keySet()
				.retainAll(present.stream().map(RedisClusterNode::getNodeId).collect(Collectors.toSet()));
		}

		int size() {
			return this.names.size();
		}

		private record Name(RedisURI address, String text) {
		}

	}

}
