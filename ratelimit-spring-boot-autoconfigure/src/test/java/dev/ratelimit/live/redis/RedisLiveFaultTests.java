package dev.ratelimit.live.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests a server that hangs, or that restarts empty.
 */
@Tag("redis")
class RedisLiveFaultTests {

	private final List<LiveInstance> instances = new ArrayList<>();

	private TestRedis redis;

	private LiveInstance alice;

	private LiveInstance bob;

	@BeforeEach
	void start() {
		this.redis = TestRedis.start();
		this.alice = instance();
		this.bob = instance();
		this.alice.write(0, LiveInstance.limit("200/min"));
		Awaitility.await().until(() -> this.alice.version() == 1 && this.bob.version() == 1);
	}

	private LiveInstance instance() {
		return instance(LiveConnection.to(this.redis));
	}

	private LiveInstance instance(RedisConnector connector) {
		LiveInstance instance = new LiveInstance(connector).started();
		this.instances.add(instance);
		return instance;
	}

	@AfterEach
	void stop() {
		this.instances.forEach(LiveInstance::close);
		this.redis.close();
	}

	@Test
	void aServerThatStandsStillIsToldAndChangesNothing() {
		this.redis.pause();
		Awaitility.await().until(() -> this.bob.told().contains("failed: timeout"));
		assertThatExceptionOfType(RuleSourceException.class)
			.isThrownBy(() -> this.alice.write(1, LiveInstance.limit("300/min")));
		this.redis.resume();
		awaitUnchanged(this.bob);
		assertThat(this.bob.told()).filteredOn((told) -> told.startsWith("changed")).hasSize(1);
		assertThat(this.alice.write(1, LiveInstance.limit("300/min"))).isInstanceOf(WriteResult.Written.class);
		Awaitility.await().until(() -> this.bob.version() == 2);
	}

	@Test
	void aServerThatComesBackEmptyIsGivenTheDocument() {
		this.redis.kill();
		Awaitility.await().until(() -> this.bob.told().stream().anyMatch((told) -> told.startsWith("failed: ")));
		this.redis.restart();
		Awaitility.await()
			.until(() -> this.redis.command("HGET", LiveInstance.PREFIX + ":{live}:head", "version").equals("1"));
		awaitUnchanged(this.bob);
		assertThat(this.bob.told()).doesNotContain("changed 0")
			.filteredOn((told) -> told.startsWith("changed"))
			.hasSize(1);
		assertThat(this.alice.write(1, LiveInstance.limit("300/min"))).isInstanceOf(WriteResult.Written.class);
		Awaitility.await().until(() -> this.bob.version() == 2);
	}

	@Test
	void aConnectionThatIsNotThereYetIsToldAndTriedAgain() {
		this.redis.stop();
		LiveInstance late = instance(LiveConnection.unconnected(this.redis));
		Awaitility.await().until(() -> late.told().stream().anyMatch((told) -> told.startsWith("failed: ")));
		this.redis.restart();
		late.connect();
		Awaitility.await().until(() -> late.version() == 1);
		assertThat(late.document().orElseThrow().rules()).isEqualTo(Map.of("search", Map.of("limit", "200/min")));
	}

	private static void awaitUnchanged(LiveInstance instance) {
		int told = instance.told().size();
		Awaitility.await()
			.until(() -> instance.told().stream().skip(told).anyMatch((event) -> event.equals("unchanged")));
	}

}
