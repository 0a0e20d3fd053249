package dev.ratelimit.sample;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the examples in the README for the profile {@code grpc}.
 */
abstract class GrpcContract {

	abstract int port();

	@Test
	void theFourthRequestAtEnvoyIsOverTheLimit() throws Exception {
		assertThat(responses("/demo/envoy?user=alice")).containsExactly("OK", "OK", "OK", "OVER_LIMIT");
	}

	@Test
	void theFourthGreetingIsRejected() throws Exception {
		assertThat(responses("/demo/greeter?name=bob")).containsExactly("Hello, bob!", "Hello, bob!", "Hello, bob!",
				"RESOURCE_EXHAUSTED");
	}

	private List<String> responses(String path) throws IOException, InterruptedException {
		HttpClient client = HttpClient.newHttpClient();
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path)).build();
		List<String> responses = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			responses.add(client.send(request, HttpResponse.BodyHandlers.ofString()).body().trim());
		}
		return responses;
	}

}
