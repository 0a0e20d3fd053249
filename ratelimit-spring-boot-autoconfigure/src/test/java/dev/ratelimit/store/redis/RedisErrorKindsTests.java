package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.redis.RedisRights;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;
import io.lettuce.core.cluster.SlotHash;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests servers that reject calls. A server whose error is transient is unavailable.
 * Other errors are permanent.
 */
@Tag("topology")
@Tag("redis")
class RedisErrorKindsTests {

	private final BucketFamily family = Demands.perMinute("errors", 1000);

	@Test
	void aReplicaIsUnavailable() {
		try (TestRedis master = TestRedis.start();
				TestRedis replica = TestRedis.start("--replicaof", master.host(), String.valueOf(master.port()));
				RedisFixture fixture = new RedisFixture(replica).connected()) {
			assertThatFails(fixture.store(), Kind.CONNECTION, "READONLY");
		}
	}

	@Test
	void aServerThatIsStillLoadingIsUnavailableUntilItHasLoaded() {
		try (TestRedis redis = TestRedis.start(TestRedis.LOADING_SLOWLY);
				RedisFixture fixture = new RedisFixture(redis).connected()) {
			redis.fillForLoading();
			redis.restartUnready();
			RedisLimitStore store = fixture.store();
			List<StoreException> failures = new ArrayList<>();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(20))
				.until(() -> tryAcquire(store).handle((answer, failure) -> record(failure, failures)).join());
			assertThat(failures).extracting(StoreException::kind).containsOnly(Kind.CONNECTION);
			assertThat(failures).anyMatch(RedisErrorKindsTests::isLoading);
		}
	}

	@Test
	void aClusterThatWantsAllItsSlotsAndHasLostSomeIsUnavailableUntilTheyAreBack() {
		try (TestCluster cluster = TestCluster.start()) {
			cluster.nodes().forEach((node) -> node.command("CONFIG", "SET", "cluster-require-full-coverage", "yes"));
			try (RedisFixture fixture = new RedisFixture(cluster).connected()) {
				List<String> subjects = cluster.apart("user:");
				cluster.nodes().get(0).kill();
				Awaitility.await()
					.untilAsserted(
							() -> assertThatFails(fixture.store(), subjects.get(1), Kind.CONNECTION, "CLUSTERDOWN"));
				cluster.nodes().get(0).restart();
				Awaitility.await()
					.until(() -> tryAcquire(fixture.store(), subjects.get(1))
						.handle((answer, failure) -> failure == null)
						.join());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-set", "-time", "-evalsha", "resetkeys" })
	void aRightThatIsMissingIsAWrong(String rule) {
		try (TestRedis redis = TestRedis.start(); RedisFixture fixture = new RedisFixture(redis).connected()) {
			assertThat(tryAcquire(fixture.store()).join().allowed()).isTrue();
			redis.command("ACL", "SETUSER", RedisRights.ON_SERVER.user(), rule);
			assertThatFails(fixture.store(), Kind.SCRIPT, "");
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> RedisFixture.check(fixture.store()))
				.extracting(StoreException::kind)
				.isEqualTo(Kind.SCRIPT);
		}
	}

	@Test
	void credentialsThatAreMissingAreAWrong() {
		try (TestRedis redis = TestRedis.start(); RedisFixture fixture = new RedisFixture(redis, "", "")) {
			// The first connection of a JVM takes longer than the check waits.
			RedisFixture.connected(redis).close();
			redis.command("CONFIG", "SET", "requirepass", "other");
			assertThatExceptionOfType(StoreException.class).isThrownBy(() -> RedisFixture.check(fixture.store()))
				.withMessageStartingWith("NOAUTH")
				.extracting(StoreException::kind)
				.isEqualTo(Kind.SCRIPT);
		}
	}

	@Test
	void aClusterThatIsTakenForOneServerIsAWrong() {
		TestCluster cluster = TestCluster.shared();
		List<String> subjects = cluster.apart("user:");
		try (RedisFixture fixture = new RedisFixture(cluster.nodes().get(0)).connected()) {
			assertThatFails(fixture.store(), subjects.get(1), Kind.SCRIPT, "MOVED");
			assertThatFails(fixture.store()
				.acquire(Demands.of(Demands.charge(this.family, subjects.get(0), 1),
						Demands.charge(this.family, subjects.get(1), 1))),
					Kind.SCRIPT, "CROSSSLOT");
		}
	}

	@Test
	void nodesThatSendEachOtherARequestForGoodAreUnavailable() {
		try (TestCluster cluster = TestCluster.start()) {
			String subject = cluster.apart("user:").get(0);
			int slot = SlotHash.getSlot(subject);
			String other = cluster.nodes()
				.stream()
				.filter((node) -> node.port() != cluster.nodeOf(subject).port())
				.findFirst()
				.orElseThrow()
				.command("CLUSTER", "MYID");
			try (RedisFixture fixture = new RedisFixture(cluster).connected()) {
				cluster.nodeOf(subject).command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", other);
				assertThatFails(fixture.store(), subject, Kind.CONNECTION, "MOVED");
			}
		}
	}

	private static boolean isLoading(StoreException failure) {
		return failure.getMessage().contains("LOADING");
	}

	private static boolean record(Throwable failure, List<StoreException> failures) {
		if (failure != null) {
			failures.add(StoreException.of(failure));
		}
		return failure == null;
	}

	private CompletableFuture<AcquireResult> tryAcquire(RedisLimitStore store) {
		return tryAcquire(store, "ann");
	}

	private CompletableFuture<AcquireResult> tryAcquire(RedisLimitStore store, String subject) {
		return store.acquire(Demands.of(Demands.charge(this.family, subject, 1)));
	}

	private void assertThatFails(RedisLimitStore store, Kind kind, String message) {
		assertThatFails(store, "ann", kind, message);
	}

	private void assertThatFails(RedisLimitStore store, String subject, Kind kind, String message) {
		assertThatFails(tryAcquire(store, subject), kind, message);
	}

	private static void assertThatFails(CompletableFuture<AcquireResult> future, Kind kind, String message) {
		assertThat(future).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class, (failure) -> {
				assertThat(failure.kind()).isEqualTo(kind);
				assertThat(failure).hasMessageContaining(message);
			});
	}

}
