package dev.ratelimit.http;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.test.clients.ClientPrograms;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests real clients that do not know the headers of this library. After a rejection,
 * they wait for the announced time, and their next request is allowed. The limit is one
 * request per second.
 */
@Tag("long")
@SpringBootTest(classes = ContractApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.config.name=contract")
@TestPropertySource(properties = "spring.main.web-application-type=servlet")
class RealClientsTests {

	/** One second, less the tolerance of the timers of the clients. */
	private static final double WAIT_MILLIS = 990;

	@LocalServerPort
	private int port;

	@Test
	void clientsOfNodeWait() {
		List<String> reports = ClientPrograms.node("retry.mjs", base());
		assertThat(reports).hasSize(3).allSatisfy(RealClientsTests::waited);
	}

	@Test
	void urllib3Waits() {
		assertThat(ClientPrograms.python("retry.py", base())).hasSize(1).allSatisfy(RealClientsTests::waited);
	}

	@Test
	void apacheHttpClientWaits() throws IOException {
		AtomicInteger requests = new AtomicInteger();
		try (CloseableHttpClient client = HttpClients.custom()
			.setRetryStrategy(new DefaultHttpRequestRetryStrategy(1, TimeValue.ofMilliseconds(1)))
			.addRequestInterceptorFirst((request, entity, context) -> requests.incrementAndGet())
			.build()) {
			HttpGet get = new HttpGet(URI.create(base() + "/clients/apache"));
			get.addHeader("X-Key", UUID.randomUUID().toString());
			assertThat(status(client, get)).isEqualTo(200);
			long startNanos = System.nanoTime();
			assertThat(status(client, get)).isEqualTo(200);
			assertThat((System.nanoTime() - startNanos) / 1e6).isGreaterThan(WAIT_MILLIS);
		}
		assertThat(requests).hasValue(3);
	}

	@Test
	void restClientHandsTheWaitToItsCaller() {
		RestClient client = RestClient.builder()
			.baseUrl(base())
			.requestFactory(new JdkClientHttpRequestFactory())
			.defaultHeader("X-Key", UUID.randomUUID().toString())
			.build();
		client.get().uri("/clients/rest").retrieve().toBodilessEntity();
		HttpClientErrorException.TooManyRequests rejected = catchThrowableOfType(
				HttpClientErrorException.TooManyRequests.class,
				() -> client.get().uri("/clients/rest").retrieve().toBodilessEntity());
		HttpHeaders headers = rejected.getResponseHeaders();
		assertThat(headers).isNotNull();
		assertThat(headers.getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("1");
	}

	private String base() {
		return "http://localhost:" + this.port;
	}

	private static int status(CloseableHttpClient client, HttpGet get) throws IOException {
		return client.execute(get, HttpResponse::getCode);
	}

	private static void waited(String report) {
		JsonNode client = JsonMapper.shared().readTree(report);
		assertThat(client.get("first").asInt()).as(report).isEqualTo(200);
		assertThat(client.get("status").asInt()).as(report).isEqualTo(200);
		assertThat(client.get("requests").asInt()).as(report).isEqualTo(2);
		assertThat(client.get("millis").asDouble()).as(report).isGreaterThan(WAIT_MILLIS);
	}

}
