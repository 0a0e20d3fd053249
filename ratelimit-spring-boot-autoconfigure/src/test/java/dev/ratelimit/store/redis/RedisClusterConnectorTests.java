package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import dev.ratelimit.test.redis.TestRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.protocol.RedisCommand;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests connections to a cluster and the routing of commands.
 */
@RedisClusterTest
class RedisClusterConnectorTests {

	private final BucketFamily family = Demands.perDay("routed", 10);

	private RedisFixture fixture;

	@BeforeEach
	void connect(TestCluster cluster) {
		this.fixture = RedisFixture.connected(cluster);
	}

	@AfterEach
	void disconnect() {
		this.fixture.close();
	}

	@Test
	void aScriptGoesToTheNodeOfItsKeys(TestCluster cluster) {
		RedisLimitStore store = this.fixture.store();
		for (String subject : cluster.apart("user:")) {
			assertThat(store.acquire(Demands.of(Demands.charge(this.family, subject, 1))).join().allowed()).isTrue();
			assertThat(cluster.nodeOf(subject).command("KEYS", "*{" + subject + "}*")).contains(subject);
		}
	}

	@Test
	void aNodeThatDoesNotKnowTheScriptIsSentItsText(TestCluster cluster) {
		RedisLimitStore store = this.fixture.store();
		for (int i = 1; i <= 5; i++) {
			cluster.nodes().forEach((node) -> node.command("SCRIPT", "FLUSH"));
			for (String subject : cluster.apart("user:")) {
				assertThat(store.acquire(Demands.of(Demands.charge(this.family, subject, 1)))
					.join()
					.verdicts()
					.get(0)
					.remaining()).isEqualTo(10 - i);
			}
		}
	}

	@Test
	void aBucketIsForgottenOnItsNode(TestCluster cluster) {
		RedisLimitStore store = this.fixture.store();
		String subject = cluster.apart("user:").get(2);
		store.acquire(Demands.of(Demands.charge(this.family, subject, 1))).join();
		store.reset(List.of(new Bucket(this.family, subject))).join();
		assertThat(cluster.keys("*")).isEmpty();
	}

	@Test
	void connectingConnectsToEveryMaster(TestCluster cluster) {
		String name = "named-" + System.nanoTime();
		try (RedisConnector connector = connector(cluster, name, ClientOptions.create())) {
			Awaitility.await()
				.ignoreExceptionsInstanceOf(RedisException.class)
				.until(connector::connected, Objects::nonNull);
			for (TestRedis node : cluster.nodes()) {
				Awaitility.await().until(() -> node.command("CLIENT", "LIST").contains("name=" + name));
			}
		}
	}

	@Test
	void theClientsOptionsAreThoseOfOneServer(TestCluster cluster) {
		try (RedisConnector connector = connector(cluster, "any",
				ClusterClientOptions.builder().maxRedirects(9).build())) {
			Awaitility.await()
				.ignoreExceptionsInstanceOf(RedisException.class)
				.until(connector::connected, Objects::nonNull);
			ClusterClientOptions options = (ClusterClientOptions) connector.connection().getOptions();
			assertThat(options.getDisconnectedBehavior()).isEqualTo(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS);
			assertThat(options.getSocketOptions().getConnectTimeout()).isEqualTo(Duration.ofSeconds(1));
			assertThat(options.getTopologyRefreshOptions().isPeriodicRefreshEnabled()).isTrue();
			assertThat(options.getMaxRedirects()).isEqualTo(9);
			Predicate<RedisCommand<?, ?, ?>> replay = options.getReplayFilter();
			assertThat(replay.test(null)).as("refuses to send anything again").isTrue();
			assertThat(connector.connection().getResources().reconnectDelay().createDelay(30))
				.isLessThanOrEqualTo(Duration.ofMillis(500));
		}
	}

	private static RedisConnector connector(TestCluster cluster, String name, ClientOptions options) {
		List<RedisURI> nodes = Stream.of(cluster.addresses().split(","))
			.map((node) -> RedisURI.create("redis://" + node))
			.toList();
		nodes.forEach((node) -> node.setClientName(name));
		return new RedisConnector(new RedisConnectionSettings(nodes, true, options, Optional.empty()));
	}

}
