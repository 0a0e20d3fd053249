package dev.ratelimit.http;

import java.time.Duration;

import dev.ratelimit.ban.Ban;
import dev.ratelimit.ban.Bans;
import dev.ratelimit.test.redis.TestCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@TestPropertySource(
		properties = { "spring.main.web-application-type=servlet", "ratelimit.redis.key-prefix=rl:${random.uuid}",
				"ratelimit.rules.striking.paths=/secured/striking", "ratelimit.rules.striking.key=user",
				"ratelimit.rules.striking.limit=1/d", "ratelimit.rules.striking.ban.after=3" })
@Tag("long")
@Tag("nightly")
@Tag("topology")
@Tag("redis")
class ServletClusterTests extends HttpContract implements ServletLeaseContract {

	@DynamicPropertySource
	static void cluster(DynamicPropertyRegistry properties) {
		properties.add("spring.data.redis.cluster.nodes", () -> TestCluster.shared().addresses());
	}

	@Test
	void strikesBanTheClientUntilTheBanIsLifted(@Autowired Bans bans) {
		String[] user = { "Authorization", HttpProbe.basic(key(), "secret") };
		assertThat(http().get("/secured/striking", user).statusCode()).isEqualTo(404);
		Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.until(() -> http().get("/secured/striking", user).statusCode() == 403);
		String subject = "user:" + key();
		assertThat(bans.active()).extracting(Ban::subject).contains(subject);
		assertThat(bans.lift("striking", subject, "ann").join()).isTrue();
		assertThat(http().get("/secured/striking", user).statusCode()).isEqualTo(429);
	}

}
