package example;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class LimitTests {

	@LocalServerPort
	private int port;

	private HttpResponse<String> get(String path) {
		String user = Base64.getEncoder().encodeToString("ann:secret".getBytes());
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path))
			.header("Authorization", "Basic " + user)
			.build();
		try {
			return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void theRuleLimitsItsPathAndNoOther() {
		List<HttpResponse<String>> responses = IntStream.range(0, 4).mapToObj((i) -> get("/api/notes")).toList();
		assertThat(responses).extracting(HttpResponse::statusCode).containsExactly(200, 200, 200, 429);
		assertThat(responses.get(0).headers().firstValue("RateLimit")).hasValueSatisfying((value) -> assertThat(value).matches("\"notes\";r=2;t=\\d+"));
		assertThat(responses.get(3).headers().firstValue("Retry-After")).hasValueSatisfying((value) -> assertThat(value).matches("\\d+"));
		assertThat(get("/").statusCode()).isEqualTo(200);
		assertThat(get("/").headers().firstValue("RateLimit")).isEmpty();
	}

}
