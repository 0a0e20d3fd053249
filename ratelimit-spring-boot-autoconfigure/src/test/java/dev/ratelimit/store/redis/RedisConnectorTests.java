package dev.ratelimit.store.redis;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the resources that the connector closes, and those that it leaves open.
 */
@RedisTest
class RedisConnectorTests {

	@Test
	void closingLeavesOpenWhatIsTheApplicationsAndClosesTheRest(TestRedis redis) {
		// The first connection of a JVM takes longer than the connection timeout.
		RedisFixture.connected(redis).close();
		RedisURI server = RedisURI.create(redis.host(), redis.port());
		ClientResources application = ClientResources.create();
		try {
			RedisConnector connector = new RedisConnector(new RedisConnectionSettings(List.of(server), false,
					ClientOptions.create(), Optional.of(application)));
			connector.connected();
			connector.close();
			assertThat(application.eventExecutorGroup().isShuttingDown()).isFalse();
			try (RedisClient client = RedisClient.create(application, server)) {
				assertThat(client.connect().sync().ping()).isEqualTo("PONG");
			}
			// Otherwise, the client logs a warning when the resources are
			// garbage-collected.
			assertThat(connector).extracting("resources.shutdownCalled").isEqualTo(true);
		}
		finally {
			application.shutdown(0, 1, TimeUnit.SECONDS);
		}
	}

}
