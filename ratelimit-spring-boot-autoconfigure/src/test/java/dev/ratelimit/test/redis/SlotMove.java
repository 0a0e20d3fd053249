package dev.ratelimit.test.redis;

import java.util.List;
import java.util.stream.Stream;

/**
 * A slot on its way from one master to another, in the steps of an administrator.
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
	 * From now on the source sends on to the target whatever key it does not have.
	 */
	public void open() {
		this.target.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", id(this.source));
		this.source.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", id(this.target));
	}

	/**
	 * Move so many keys of the slot at most.
	 * @return whether there was any
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
	 * Announce to all nodes that the slot is the target's.
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
