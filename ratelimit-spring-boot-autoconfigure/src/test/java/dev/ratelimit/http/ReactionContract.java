package dev.ratelimit.http;

import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What rules do with requests besides rejecting them at once, alike on every stack.
 */
@SpringBootTest(classes = ReactionApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.config.name=reactions")
abstract class ReactionContract {

	@LocalServerPort
	private int port;

	/** Nobody else's key. */
	private String key = "";

	@BeforeEach
	void begin() {
		this.key = UUID.randomUUID().toString();
	}

	private Reply get(String path, String... headers) {
		return new HttpProbe(this.port).get(path + "?who=" + this.key, headers);
	}

	@Test
	void aDegradedRequestIsAllowedAndItsHandlerIsTold() {
		assertThat(get("/degraded").body()).isEqualTo("all");
		Reply degraded = get("/degraded");
		assertThat(degraded.statusCode()).isEqualTo(200);
		assertThat(degraded.body()).isEqualTo("less");
		assertThat(degraded.header("RateLimit")).startsWith("\"degrading\";r=0");
		assertThat(degraded.headers()).doesNotContainKey("Retry-After");
	}

	@Test
	void aRuleThatRejectsPrevailsOverOneThatDegrades() {
		assertThat(get("/degraded/both").body()).isEqualTo("all");
		assertThat(get("/degraded/both").body()).isEqualTo("less");
		Reply rejected = get("/degraded/both");
		assertThat(rejected.statusCode()).isEqualTo(429);
		assertThat(rejected.body()).contains("\"violated-policies\":[\"rejecting\"]");
	}

}
