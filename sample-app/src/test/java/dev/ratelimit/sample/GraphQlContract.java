package dev.ratelimit.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the examples in the README for the profile {@code graphql}.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ActiveProfiles("graphql")
abstract class GraphQlContract {

	@LocalServerPort
	private int port;

	@Test
	void theThirdQueryIsRejected() throws Exception {
		assertThat(query()).contains("\"data\"").doesNotContain("errors");
		assertThat(query()).contains("\"data\"").doesNotContain("errors");
		assertThat(query()).contains("RATE_LIMITED").doesNotContain("\"data\"");
	}

	private String query() throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/graphql"))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString("{\"query\":\"{ products { name related { name } } }\"}"))
			.build();
		return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

}
