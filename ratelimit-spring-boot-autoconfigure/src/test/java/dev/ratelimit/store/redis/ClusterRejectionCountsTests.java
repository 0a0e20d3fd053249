package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import dev.ratelimit.test.redis.RedisClusterTest;
import dev.ratelimit.test.redis.TestCluster;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@RedisClusterTest
class ClusterRejectionCountsTests {

	@Test
	void countsAndKeyAreOnTheNodesOfTheirSlot(TestCluster cluster) {
		try (RedisFixture nodes = RedisFixture.connected(cluster)) {
			RejectionCounts counts = new RejectionCounts(nodes.connector(), "rl:top");
			byte[] key = "key".getBytes(StandardCharsets.US_ASCII);
			assertThat(counts.agree(key).join()).isEqualTo(key);
			for (long minute = 1; minute <= 5; minute++) {
				counts.add(minute, Map.of("search user:1", minute)).join();
				assertThat(counts.read(minute).join()).isEqualTo(Map.of("search user:1", minute));
			}
		}
	}

}
