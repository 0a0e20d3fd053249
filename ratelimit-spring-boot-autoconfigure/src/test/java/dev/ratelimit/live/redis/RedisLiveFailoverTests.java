package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.RuleMode;
import dev.ratelimit.live.RuleSwitch;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the loss of a master with the latest version and a switch that no replica has
 * received.
 */
@Tag("topology")
@Tag("redis")
@Tag("long")
class RedisLiveFailoverTests {

	private static final String HEAD = LiveInstance.PREFIX + ":{live}:head";

	private static final String SWITCHES = LiveInstance.PREFIX + ":{live}:switches";

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final List<LiveInstance> instances = new ArrayList<>();

	private final List<List<RuleSwitch>> switches = new CopyOnWriteArrayList<>();

	@AfterEach
	void stop() {
		this.instances.forEach(LiveInstance::close);
	}

	@Test
	void theMasterOfASentinelGroup() {
		try (TestSentinel group = TestSentinel.start()) {
			start(LiveConnection.to(group), LiveConnection.to(group));
			TestRedis master = group.master();
			writeBoth(master, group::awaitReplicated);
			master.kill();
			TestRedis promoted = group.awaitPromotion(master);
			assertNothingIsLost(promoted);
			stop();
			this.instances.clear();
		}
	}

	@Test
	void theMasterOfTheSlotInACluster() {
		try (TestFailoverCluster cluster = TestFailoverCluster.start()) {
			start(LiveConnection.to(cluster), LiveConnection.to(cluster));
			TestRedis master = cluster.master(cluster.slot("{live}"));
			TestRedis replica = cluster.replica(master);
			writeBoth(master, () -> cluster.awaitReplicated(master));
			master.kill();
			cluster.awaitPromotion(replica, master);
			assertNothingIsLost(replica);
			stop();
			this.instances.clear();
		}
	}

	private void start(RedisConnector... connectors) {
		for (RedisConnector connector : connectors) {
			this.instances.add(new LiveInstance(connector).started());
		}
		this.instances.get(0).live().switches().start(this.switches::add);
	}

	private void writeBoth(TestRedis master, Runnable replicated) {
		LiveInstance alice = this.instances.get(0);
		alice.write(0, LiveInstance.limit("200/min"));
		replicated.run();
		master.command("ACL", "SETUSER", "default", "-psync", "-sync");
		master.command("CLIENT", "KILL", "TYPE", "replica");
		assertThat(alice.write(1, LiveInstance.limit("300/min"))).isInstanceOf(WriteResult.Written.class);
		alice.live().switches().set(Optional.empty(), RuleMode.SHADOW, Duration.ofHours(1), "alice", "");
		Awaitility.await()
			.until(() -> this.instances.stream().allMatch((instance) -> instance.version() == 2)
					&& !this.switches.isEmpty());
		assertThat(master.info("connected_slaves")).isEqualTo("0");
	}

	private void assertNothingIsLost(TestRedis promoted) {
		Awaitility.await().atMost(LIMIT).until(() -> promoted.command("HGET", HEAD, "version").equals("2"));
		Awaitility.await().atMost(LIMIT).until(() -> promoted.command("HLEN", SWITCHES).equals("2"));
		assertThat(this.instances)
			.allSatisfy((instance) -> assertThat(instance.told()).filteredOn((told) -> told.startsWith("changed"))
				.containsOnlyOnce("changed 2")
				.endsWith("changed 2"));
		assertThat(this.switches).allSatisfy((known) -> assertThat(known).isEqualTo(this.switches.get(0)));
		assertThat(this.switches.get(0)).hasSize(1);
		LiveInstance bob = this.instances.get(1);
		assertThat(bob.write(2, LiveInstance.limit("400/min"))).isInstanceOf(WriteResult.Written.class);
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> this.instances.stream().allMatch((instance) -> instance.version() == 3));
	}

}
