package dev.ratelimit.test.redis;

import java.util.List;
import java.util.stream.Stream;

/**
 * The move of a slot from one master to another, in the steps of an administrator.
 */
public final class SlotMove {

	private final String slot;

	private final TestRedis source;

	private final TestRedis target;

	private final List<TestRedis> nodes;

	SlotMove(int slot, TestRedis source, TestRedis target, List<TestRedis> nodes) {
		this.slot = String.valueOf(slot);
		this.source = source;
		this.target = target;
		this.nodes = nodes;
	}

	/**
	 * Begin the move. The source then redirects calls for missing keys to the target.
	 */
	public void open() {
		this.target.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", id(this.source));
		this.source.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", id(this.target));
	}

	/**
	 * Move at most the given number of keys of the slot.
	 * @return whether a key was moved
	 */
	public boolean moveKeys(int count) {
		String keys = this.source.command("CLUSTER", "GETKEYSINSLOT", this.slot, String.valueOf(count));
		if (keys.isEmpty()) {
			return false;
		}
		Stream<String> migrate = Stream.of("MIGRATE", this.target.host(), String.valueOf(this.target.port()), "", "0",
				"5000", "KEYS");
		this.source.command(Stream.concat(migrate, keys.lines()).toArray(String[]::new));
		return true;
	}

	/**
	 * Announce the target as the owner of the slot to all nodes.
	 */
	public void close() {
		Stream.concat(Stream.of(this.target, this.source), this.nodes.stream())
			.filter((node) -> node.info("role").equals("master"))
			.forEach((node) -> node.command("CLUSTER", "SETSLOT", this.slot, "NODE", id(this.target)));
	}

	private static String id(TestRedis node) {
		return node.command("CLUSTER", "MYID");
	}

}
