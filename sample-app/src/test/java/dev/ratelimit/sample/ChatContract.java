package dev.ratelimit.sample;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the profile {@code llm}: regardless of the reason for the end of a stream, the
 * user is charged for the tokens that were sent.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = {
		"ratelimit.rules.chat-requests.limit=10000/365d", "ratelimit.rules.chat-requests.algorithm=fixed-window",
		"ratelimit.rules.chat-input.limit=10000000/365d", "ratelimit.rules.chat-input.algorithm=fixed-window",
		"ratelimit.rules.chat-output.limits=10000000/365d", "ratelimit.rules.chat-output.algorithm=fixed-window",
		"ratelimit.rules.plan.mode=off", "ratelimit.rules.per-ip.mode=off" })
@ActiveProfiles("llm")
abstract class ChatContract {

	private static final int STREAMS = 1000;

	private static final int AT_ONCE = 50;

	private static final int MAX_TOKENS = 20;

	private static final String PROMPT = "How many tokens does this prompt have?";

	@LocalServerPort
	private int port;

	@Autowired
	private RateLimiter limiter;

	@Autowired
	private ChatController.FakeModel model;

	@Test
	void chargeEqualsActualUsage() throws Exception {
		HttpClient client = HttpClient.newHttpClient();
		ExecutorService users = Executors.newFixedThreadPool(AT_ONCE);
		try {
			List<Future<Integer>> streams = new ArrayList<>();
			IntStream.range(0, STREAMS)
				.forEach((index) -> streams.add(users.submit(() -> stream(client, index % 3 == 0))));
			for (Future<Integer> stream : streams) {
				assertThat(stream.get()).isEqualTo(200);
			}
		}
		finally {
			users.shutdownNow();
		}
		assertThat(used("chat-requests")).isEqualTo(STREAMS);
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			assertThat(used("chat-input")).isEqualTo(STREAMS * ChatController.FakeModel.tokens(PROMPT));
			assertThat(used("chat-output")).isEqualTo(this.model.written());
		});
		assertThat(this.model.written()).isBetween((long) STREAMS * MAX_TOKENS * 2 / 3, (long) STREAMS * MAX_TOKENS);
	}

	private int stream(HttpClient client, boolean cut) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://localhost:" + this.port + "/api/chat?max_tokens=" + MAX_TOKENS))
			.header("Authorization",
					"Basic " + Base64.getEncoder().encodeToString("alice:alice".getBytes(StandardCharsets.UTF_8)))
			.header("Content-Type", "text/plain")
			.POST(HttpRequest.BodyPublishers.ofString(PROMPT))
			.build();
		HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
		try (InputStream body = response.body()) {
			if (cut) {
				body.read();
			}
			else {
				body.readAllBytes();
			}
		}
		return response.statusCode();
	}

	private long used(String rule) {
		Decision decision = this.limiter.peek(rule, "user:alice").block(Duration.ofSeconds(5));
		return decision.verdicts().get(0).policy().capacity() - decision.verdicts().get(0).remaining();
	}

}
