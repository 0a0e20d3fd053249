package dev.ratelimit.store.redis;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;

/**
 * The names of nodes, made once for each address that the client learns of. Thread-safe.
 */
final class NodeNames {

	/** By the ids that the cluster gives. */
	private final Map<String, Name> names = new ConcurrentHashMap<>();

	/**
	 * The name of a node. A node may come back at another address under its old id; the
	 * client makes a new address at every refresh of the topology.
	 * @param node the node
	 * @return host and port
	 */
	String of(RedisClusterNode node) {
		RedisURI address = node.getUri();
		Name known = this.names.get(node.getNodeId());
		if (known == null || known.address() != address) {
			known = new Name(address, address.getHost() + ":" + address.getPort());
			this.names.put(node.getNodeId(), known);
		}
		return known.text();
	}

	/**
	 * Forget the nodes that have left.
	 * @param present the nodes that are still there
	 */
	void retain(Collection<RedisClusterNode> present) {
		this.names.keySet().retainAll(present.stream().map(RedisClusterNode::getNodeId).collect(Collectors.toSet()));
	}

	int size() {
		return this.names.size();
	}

	private record Name(RedisURI address, String text) {
	}

}
