package dev.ratelimit.fault;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.test.redis.TestFailoverCluster;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests failing masters with a real application under load. Recovery is measured from the
 * time at which a replica takes over, because Redis itself needs time for this.
 */
@Tag("scenario")
@Tag("long")
class TopologyFaultTests {

	private static final String KEY = "header:";

	private static final int PER_SECOND = 160;

	private static final Duration BEFORE = Duration.ofMillis(800);

	/**
	 * The maximum number of charges that a replica has not received when its master is
	 * lost.
	 */
	private static final int IN_TRANSIT = 5;

	@AfterAll
	static void print() {
		FaultTable.print();
	}

	@Test
	void aClusterLosesOneMasterAndThenAnother() {
		try (TestFailoverCluster cluster = TestFailoverCluster.start();
				Instance instance = Instance.start(WebApplicationType.SERVLET,
						"--spring.data.redis.cluster.nodes=" + cluster.addresses())) {
			warmUp(instance);
			List<String> tags = cluster.apart(KEY + "c");
			TestRedis killed = cluster.master(cluster.slot(tags.get(0)));
			lose("cluster: a master killed", cluster, instance, tags, killed, killed::kill);
			killed.restart();
			cluster.awaitOk();
			List<String> others = List.of(tags.get(1), tags.get(2));
			TestRedis stopped = cluster.master(cluster.slot(tags.get(1)));
			lose("cluster: a master stopped", cluster, instance, others, stopped, stopped::pause);
			stopped.resume();
		}
	}

	private static void lose(String name, TestFailoverCluster cluster, Instance instance, List<String> tags,
			TestRedis master, Runnable fault) {
		List<String> callers = tags.stream().map((tag) -> tag.substring(KEY.length())).toList();
		TestRedis replica = cluster.replica(master);
		Limits.exhaust(instance, callers.get(0));
		cluster.awaitReplicated(master);
		try (HttpLoad hit = HttpLoad.start(instance.port(), callers.get(0), PER_SECOND);
				HttpLoad spared = HttpLoad.start(instance.port(), callers.get(1), 40, Target.CLOSED)) {
			Episode episode = happen(instance, hit, fault, () -> cluster.awaitPromotion(replica, master));
			spared.stop();
			check(name, instance, episode, callers.get(0));
			checkSpared(instance, spared, callers.get(1));
		}
	}

	// Buckets on another master are counted there exactly. On a busy machine, some
	// requests may exceed the deadline.
	private static void checkSpared(Instance instance, HttpLoad spared, String caller) {
		List<Sample> rejected = spared.samples(Sample::rejectedClosed);
		long allowed = spared.samples(Sample::allowed).size();
		assertThat(rejected).hasSizeLessThan(spared.samples().size() / 10);
		assertThat(allowed + Limits.useUp(instance, caller)).isEqualTo(Target.LIMIT);
	}

	@Test
	void aSentinelGroupLosesItsMaster() {
		try (TestSentinel group = TestSentinel.start();
				Instance instance = Instance.start(WebApplicationType.SERVLET,
						"--spring.data.redis.sentinel.master=" + TestSentinel.NAME,
						"--spring.data.redis.sentinel.nodes=" + group.addresses())) {
			warmUp(instance);
			TestRedis master = group.master();
			Limits.exhaust(instance, "sentinel");
			group.awaitReplicated();
			try (HttpLoad load = HttpLoad.start(instance.port(), "sentinel", PER_SECOND)) {
				Episode episode = happen(instance, load, master::kill, () -> group.awaitPromotion(master));
				check("Sentinel: the master killed", instance, episode, "sentinel");
			}
		}
	}

	private static void warmUp(Instance instance) {
		try (HttpLoad load = HttpLoad.start(instance.port(), "warm-up", 300)) {
			load.lasts(Duration.ofSeconds(1));
		}
		instance.awaitHealthy();
	}

	private static Episode happen(Instance instance, HttpLoad load, Runnable fault, Runnable promotion) {
		load.lasts(BEFORE);
		long strikeNanos = System.nanoTime();
		fault.run();
		promotion.run();
		Episode episode = new Episode(load, strikeNanos, System.nanoTime());
		episode.awaitRecovery(Duration.ofSeconds(20));
		instance.awaitHealthy();
		load.stop();
		return episode;
	}

	private static void check(String name, Instance instance, Episode episode, String caller) {
		long closed = episode.allowed(Target.CLOSED) + Limits.useUp(instance, caller);
		long over = Math.max(0, closed - Target.LIMIT) + episode.allowed(Target.EXHAUSTED) + episode.overAllowedHere(1);
		FaultRow row = episode.row(name, over);
		FaultTable.add(row);
		assertThat(row.unexpected()).isZero();
		assertThat(row.overAllowed()).isLessThanOrEqualTo(2 * IN_TRANSIT);
		assertThat(episode.allowed(Target.EXHAUSTED)).isZero();
		assertThat(episode.recovery()).isLessThan(episode.longestRecovery());
	}

}
