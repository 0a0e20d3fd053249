package dev.ratelimit.http;

import dev.ratelimit.test.redis.TestCluster;
import org.junit.jupiter.api.Tag;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

@TestPropertySource(
		properties = { "spring.main.web-application-type=servlet", "ratelimit.redis.key-prefix=rl:${random.uuid}" })
@Tag("topology")
@Tag("redis")
class ServletClusterTests extends HttpContract implements ServletLeaseContract {

	@DynamicPropertySource
	static void cluster(DynamicPropertyRegistry properties) {
		properties.add("spring.data.redis.cluster.nodes", () -> TestCluster.shared().addresses());
	}

}
