package dev.ratelimit.test.redis;

import java.util.List;

/**
 * The information about a node that another node of the cluster has.
 *
 * @param id its id
 * @param port the port of the node
 * @param replica whether the node is a replica
 * @param masterId the ID of its master
 * @param slots the ranges of slots that it serves
 */
record ClusterMember(String id, int port, boolean replica, String masterId, List<String> slots) {

	/**
	 * Return all nodes after a handshake with a node, including that node.
	 */
	static List<ClusterMember> seenBy(TestRedis node) {
		return node.command("CLUSTER", "NODES")
			.lines()
			.filter((line) -> !line.contains("handshake"))
			.map(ClusterMember::parse)
			.toList();
	}

	// id address:port@bus flags master ping pong epoch link slot...
	private static ClusterMember parse(String line) {
		String[] fields = line.split(" ");
		String address = fields[1].substring(0, fields[1].indexOf('@'));
		List<String> flags = List.of(fields[2].split(","));
		return new ClusterMember(fields[0], Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)),
				flags.contains("slave"), fields[3], List.of(fields).subList(8, fields.length));
	}

	boolean serves() {
		return !this.slots.isEmpty();
	}

	boolean serves(int slot) {
		return this.slots.stream()
			.filter((range) -> !range.startsWith("["))
			.map((range) -> range.split("-"))
			.anyMatch(
					(range) -> Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1]));
	}

}
