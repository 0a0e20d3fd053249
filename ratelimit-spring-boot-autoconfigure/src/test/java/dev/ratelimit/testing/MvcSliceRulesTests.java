package dev.ratelimit.testing;

import java.time.Duration;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a slice starts with the rules of an application, also if it does not load
 * all parts to which they apply.
 */
@WebMvcTest(SliceController.class)
@AutoConfigureRateLimit
@ContextConfiguration(classes = SliceApplication.class)
@TestPropertySource(properties = { "ratelimit.store=redis", "ratelimit.events.stream.enabled=true",
		"ratelimit.envoy.enabled=true", "ratelimit.load.enabled=true",
		// Not loaded by the slice.
		"ratelimit.rules.orders.limit=5/min", "ratelimit.rules.graph.graphql=Mutation.login",
		"ratelimit.rules.graph.key=ip", "ratelimit.rules.graph.limit=5/min",
		"ratelimit.rules.mesh.descriptor.domain=edge", "ratelimit.rules.mesh.descriptor.entries=user",
		"ratelimit.rules.mesh.limit=5/min", "ratelimit.rules.general.key=ip", "ratelimit.rules.general.limit=5/min",
		"ratelimit.rules.uploads.paths=/uploads", "ratelimit.rules.uploads.limit=5/min",
		"ratelimit.rules.uploads.key=ip", "ratelimit.rules.uploads.replaces=general",
		"ratelimit.rules.reports.paths=/export/**",
		// A ban, a wait, and slots of connections.
		"ratelimit.rules.banned.paths=/banned", "ratelimit.rules.banned.key=ip", "ratelimit.rules.banned.limit=3/min",
		"ratelimit.rules.banned.ban.after=1", "ratelimit.rules.banned.ban.for=10m",
		"ratelimit.rules.waiting.paths=/waiting", "ratelimit.rules.waiting.limit=1/min",
		"ratelimit.rules.waiting.burst=1", "ratelimit.rules.waiting.wait.max=50ms",
		"ratelimit.rules.streams.paths=/streams", "ratelimit.rules.streams.key=ip",
		"ratelimit.rules.streams.limit=5 concurrent", "ratelimit.rules.streams.hold=connection" })
class MvcSliceRulesTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private ManualClock clock;

	private int get(String path) {
		return this.mvc.get().uri(path).exchange().getResponse().getStatus();
	}

	// Each repetition would fail if the previous one left a ban.
	@RepeatedTest(2)
	void bansEndByTheClockAndWithTheTest() {
		for (int i = 0; i < 3; i++) {
			assertThat(get("/banned")).isEqualTo(404);
		}
		assertThat(get("/banned")).isEqualTo(429);
		assertThat(get("/banned")).isEqualTo(403);
		this.clock.advance(Duration.ofMinutes(9));
		assertThat(get("/banned")).isEqualTo(403);
		this.clock.advance(Duration.ofMinutes(1));
		for (int i = 0; i < 3; i++) {
			assertThat(get("/banned")).isEqualTo(404);
		}
		assertThat(get("/banned")).isEqualTo(429);
		assertThat(get("/banned")).isEqualTo(403);
	}

	@Test
	void aRequestWaitsInRealTime() {
		assertThat(get("/waiting")).isEqualTo(404);
		assertThat(get("/waiting")).isEqualTo(429);
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(get("/waiting")).isEqualTo(404);
	}

}
