package dev.ratelimit.test.redis;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@RedisClusterTest
class TestClusterTests {

	@Test
	void eachNodeServesItsSlotsAndNoOthers(TestCluster cluster) {
		List<String> names = cluster.apart("name");
		assertThat(names).hasSize(3).doesNotHaveDuplicates();
		for (String name : names) {
			assertThat(cluster.nodeOf(name).command("SET", "{" + name + "}", "value")).isEqualTo("OK");
		}
		assertThat(cluster.keys("*")).hasSize(3);
		assertThatIllegalStateException()
			.isThrownBy(() -> cluster.nodeOf(names.get(0)).command("GET", "{" + names.get(1) + "}"))
			.withMessageStartingWith("MOVED");
	}

	@Test
	void allSlotsAreServed(TestCluster cluster) {
		for (int i = 0; i < 500; i++) {
			assertThat(cluster.nodeOf("key" + i).command("GET", "key" + i)).isEqualTo("(nil)");
		}
	}

	@Test
	void sharedClusterCannotBeHarmed(TestCluster cluster) {
		assertThatIllegalStateException().isThrownBy(cluster::close).withMessageContaining("TestCluster.start()");
		assertThatIllegalStateException().isThrownBy(() -> cluster.nodes().get(0).kill());
	}

	@Test
	void killedNodeComesBackWithItsSlots() {
		try (TestCluster cluster = TestCluster.start()) {
			TestRedis node = cluster.nodes().get(1);
			String name = cluster.apart("name").get(1);
			node.kill();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> node.command("PING"));
			node.restart();
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.ignoreExceptions()
				.until(() -> node.command("GET", name).equals("(nil)"));
		}
	}

}
