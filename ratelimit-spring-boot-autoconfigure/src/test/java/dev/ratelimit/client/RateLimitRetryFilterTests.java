package dev.ratelimit.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClient.RequestBodySpec;
import org.springframework.web.reactive.function.client.WebClient.RequestHeadersSpec;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitRetryFilterTests extends AbstractRetryTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	@Override
	Client client(RateLimitRetry retry) {
		WebClient client = webClient(retry);
		return (method, url, body, headers) -> {
			RequestBodySpec request = client.method(HttpMethod.valueOf(method)).uri(url);
			for (int i = 0; i < headers.length; i += 2) {
				request.header(headers[i], headers[i + 1]);
			}
			return status((body.isEmpty()) ? request : request.contentType(MediaType.TEXT_PLAIN).bodyValue(body));
		};
	}

	// An unreleased rejection would hold the only connection.
	private static WebClient webClient(RateLimitRetry retry) {
		HttpClient http = HttpClient.create(ConnectionProvider.create("one", 1));
		return WebClient.builder()
			.clientConnector(new ReactorClientHttpConnector(http))
			.filter(new RateLimitRetryFilter(retry))
			.build();
	}

	private static int status(RequestHeadersSpec<?> request) {
		Mono<Integer> status = request
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()));
		Integer found = status.block(TIMEOUT);
		assertThat(found).isNotNull();
		return found;
	}

	private RequestBodySpec put() {
		return webClient(retry(DEFAULT)).put().uri(server().url("localhost")).contentType(MediaType.TEXT_PLAIN);
	}

	@Test
	void aStreamedBodyIsNotSentAgain() {
		server().answer(429, "Retry-After: 1");
		assertThat(status(put().body(Flux.just("a", "b"), String.class))).isEqualTo(429);
		assertThat(server().received()).hasSize(1);
	}

	@Test
	void aBodyThatIsMadeOnceIsSentAgainAsItWas() {
		AtomicInteger made = new AtomicInteger();
		server().answer(429, "Retry-After: 1");
		assertThat(status(put().body(Mono.fromSupplier(() -> "body " + made.incrementAndGet()), String.class)))
			.isEqualTo(200);
		assertThat(server().received()).extracting(ScriptedServer.Received::body).containsExactly("body 1", "body 1");
	}

	@Test
	void aLargeBodyIsNotSentAgain() {
		server().answer(429, "Retry-After: 1");
		assertThat(status(put().bodyValue("x".repeat(1024 * 1024 + 1)))).isEqualTo(429);
		server().answer(429, "Retry-After: 1");
		assertThat(status(put().bodyValue("x".repeat(1024 * 1024)))).isEqualTo(200);
	}

	@Test
	void eachSubscriptionIsARequestOfItsOwn() {
		server().answerTimes(4, 429, "Retry-After: 1");
		Mono<Integer> status = webClient(retry(DEFAULT)).get()
			.uri(server().url("localhost"))
			.exchangeToMono((response) -> response.releaseBody().thenReturn(response.statusCode().value()));
		assertThat(status.block(TIMEOUT)).isEqualTo(429);
		assertThat(status.block(TIMEOUT)).isEqualTo(200);
		assertThat(server().received()).hasSize(5);
	}

	@Test
	void noThreadWaits() {
		AtomicBoolean waiting = new AtomicBoolean();
		ManualTime never = new ManualTime() {

			@Override
			public Mono<Void> delay(Duration wait) {
				waiting.set(true);
				return Mono.never();
			}

			@Override
			public void sleep(Duration wait) {
				throw new AssertionError("a thread waits");
			}

		};
		server().answer(429, "Retry-After: 1");
		RateLimitRetry retry = new RateLimitRetry(DEFAULT, never, OutboundListener.NONE);
		CompletableFuture<Integer> held = webClient(retry).get()
			.uri(server().url("localhost"))
			.exchangeToMono((response) -> Mono.just(response.statusCode().value()))
			.toFuture();
		Awaitility.await().until(() -> waiting.get() || held.isDone());
		assertThat(held).isNotDone();
		held.cancel(true);
	}

}
