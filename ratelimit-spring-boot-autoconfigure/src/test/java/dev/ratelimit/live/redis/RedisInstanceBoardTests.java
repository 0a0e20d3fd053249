package dev.ratelimit.live.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import dev.ratelimit.live.InstanceBoard;
import dev.ratelimit.live.InstanceState;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RedisTest
class RedisInstanceBoardTests {

	private static final String ABOUT = LiveInstance.PREFIX + ":{fleet}:about";

	private final List<LiveInstance> instances = new ArrayList<>();

	private final AtomicReference<InstanceState> state = new AtomicReference<>(state("a", 12));

	private RedisInstanceBoard alice;

	private RedisInstanceBoard bob;

	@BeforeEach
	void start(TestRedis redis) {
		this.alice = board(redis);
		this.bob = board(redis);
		this.alice.start(this.state::get);
	}

	private RedisInstanceBoard board(TestRedis redis) {
		LiveInstance instance = new LiveInstance(LiveConnection.to(redis));
		this.instances.add(instance);
		return instance.live().instances();
	}

	@AfterEach
	void stop() {
		this.alice.close();
		this.bob.close();
		this.instances.forEach(LiveInstance::close);
	}

	@Test
	void allSeeWhatEachInstanceSays(TestRedis redis) {
		InstanceState rejecting = new InstanceState("b", "pod-8", 11, "d", "9c1e07", "4be2", 0,
				Optional.of("no \"rule\""), List.of("x", "y"));
		this.bob.start(() -> rejecting);
		Awaitility.await().until(() -> this.alice.instances().size() == 2);
		assertThat(this.alice.instances()).extracting(InstanceBoard.Seen::state)
			.containsExactlyInAnyOrder(state("a", 12), rejecting);
		assertThat(this.alice.instances()).allSatisfy((seen) -> assertThat(seen.millisAgo()).isBetween(0L, 60_000L));
		assertThat(Long.parseLong(redis.command("PTTL", ABOUT))).isBetween(1L, 15_000L);
		this.bob.close();
		Awaitility.await().until(() -> this.alice.instances().size() == 1);
	}

	@Test
	void aChangeIsReportedAtOnce() {
		Awaitility.await().until(() -> this.bob.instances().size() == 1);
		this.state.set(state("a", 13));
		this.alice.report();
		Awaitility.await().until(() -> this.bob.instances().get(0).state().version() == 13);
	}

	@Test
	void staleInstanceIsLeftOutAndDeleted(TestRedis redis) {
		long old = System.currentTimeMillis() - 15_100;
		redis.command("HSET", ABOUT, "gone", old + " {}", "odd", "no time");
		redis.command("HDEL", ABOUT, "odd");
		assertThat(this.bob.instances()).noneMatch((seen) -> seen.state().id().equals("gone"));
		this.alice.report();
		Awaitility.await().until(() -> redis.command("HEXISTS", ABOUT, "gone").equals("0"));
	}

	@Test
	void anInstanceThatIsGoneIsDeletedAlsoIfTheClockWasSetBack(TestRedis redis) {
		long ahead = System.currentTimeMillis() + 1_800_000;
		redis.command("HSET", ABOUT, "gone", ahead + " {\"id\":\"gone\"}");
		this.alice.report();
		Awaitility.await()
			.until(() -> Long.parseLong(redis.command("HGET", ABOUT, "gone").replaceAll(" .*", "")) < ahead
					- 1_000_000);
		assertThat(redis.command("HGET", ABOUT, "gone")).endsWith(" {\"id\":\"gone\"}");
	}

	@Test
	void unreadableContentIsReported(TestRedis redis) {
		// The first report removes unreadable entries, so it must be complete.
		Awaitility.await().until(() -> this.bob.instances().size() == 1);
		redis.command("HSET", ABOUT, "odd", "no time");
		assertThatExceptionOfType(RuleSourceException.class).isThrownBy(this.bob::instances)
			.withMessageStartingWith("the content of Redis cannot be read: ");
		this.alice.report();
		Awaitility.await().until(() -> redis.command("HEXISTS", ABOUT, "odd").equals("0"));
	}

	private static InstanceState state(String id, long version) {
		return new InstanceState(id, "pod-7", version, "5f3ac1", "9c1e07", "", 9, Optional.empty(), List.of());
	}

}
