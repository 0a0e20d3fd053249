package dev.ratelimit.client;

import java.io.InterruptedIOException;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClient.RequestBodySpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RateLimitRetryInterceptorTests extends AbstractRetryTests {

	@Override
	Client client(RateLimitRetry retry) {
		RestClient client = RestClient.builder()
			.requestFactory(new JdkClientHttpRequestFactory())
			.requestInterceptor(new RateLimitRetryInterceptor(retry))
			.requestInterceptor((request, body, execution) -> {
				request.getHeaders().add("X-Added", "once");
				return execution.execute(request, body);
			})
			.build();
		return (method, url, body, headers) -> {
			RequestBodySpec request = client.method(HttpMethod.valueOf(method)).uri(url);
			for (int i = 0; i < headers.length; i += 2) {
				request.header(headers[i], headers[i + 1]);
			}
			if (!body.isEmpty()) {
				request.contentType(MediaType.TEXT_PLAIN).body(body);
			}
			return request.exchange((sent, response) -> response.getStatusCode().value());
		};
	}

	@Test
	void headersOfLaterInterceptorsAreSentOnce() {
		server().answerTimes(2, 429, "Retry-After: 1");
		client().send("GET", server().url("localhost"), "");
		assertThat(server().received()).hasSize(3)
			.allSatisfy((request) -> assertThat(request.headers().get("X-Added")).containsExactly("once"));
	}

	@Test
	void anInterruptEndsTheWaitAndTheCall() {
		server().answer(429, "Retry-After: 30");
		RateLimitRetry retry = new RateLimitRetry(RetrySettings.DEFAULT, new Interrupted(), OutboundListener.NONE);
		assertThatExceptionOfType(ResourceAccessException.class)
			.isThrownBy(() -> client(retry).send("GET", server().url("localhost"), ""))
			.withCauseInstanceOf(InterruptedIOException.class);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(server().received()).hasSize(1);
	}

	@Test
	void theSystemsSleepEndsWhenInterrupted() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> RetryTime.system().sleep(Duration.ofMinutes(1)));
	}

	private static final class Interrupted extends ManualTime {

		@Override
		public void sleep(Duration wait) throws InterruptedException {
			throw new InterruptedException();
		}

	}

}
