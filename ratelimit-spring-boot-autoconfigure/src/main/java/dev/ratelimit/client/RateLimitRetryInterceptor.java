package dev.ratelimit.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.support.HttpRequestWrapper;

/**
 * Retries rejected requests of a {@code RestClient} or {@code RestTemplate}. The calling
 * thread waits. If it is interrupted, the call ends with an
 * {@link java.io.InterruptedIOException}, and the thread stays interrupted. Use a
 * separate interceptor for each client, because it contains the client's budget.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class RateLimitRetryInterceptor implements ClientHttpRequestInterceptor {

	private final RateLimitRetry retry;

	private final RetryBudget budget;

	/**
	 * Create an interceptor.
	 * @param retry the retry behavior
	 */
	public RateLimitRetryInterceptor(RateLimitRetry retry) {
		this.retry = retry;
		this.budget = retry.budget();
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		RequestAttempts attempts = RequestAttempts.begin(this.retry, this.budget, request.getMethod(), request.getURI(),
				request.getHeaders());
		RequestAttempts.sleep(this.retry.time(), attempts.hold());
		while (true) {
			ClientHttpResponse response = send(attempts, request, body, execution);
			Optional<Duration> wait = next(attempts, response);
			if (wait.isEmpty()) {
				return response;
			}
			// Releases the connection before the wait.
			response.close();
			RequestAttempts.sleep(this.retry.time(), wait.get());
		}
	}

	private ClientHttpResponse send(RequestAttempts attempts, HttpRequest request, byte[] body,
			ClientHttpRequestExecution execution) throws IOException {
		while (true) {
			try {
				return execution.execute(new Attempt(request), body);
			}
			catch (RateLimitExceededException ex) {
				RequestAttempts.sleep(this.retry.time(), attempts.untilCharged(ex));
			}
		}
	}

	// The body is an array, so it can always be sent again.
	private static Optional<Duration> next(RequestAttempts attempts, ClientHttpResponse response) throws IOException {
		try {
			return attempts.next(response.getStatusCode().value(), response.getHeaders(), true);
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

	/**
	 * The request with a copy of its headers, so that headers that later interceptors add
	 * to one attempt are not duplicated in the next.
	 */
	private static final class Attempt extends HttpRequestWrapper {

		private final HttpHeaders headers = new HttpHeaders();

		Attempt(HttpRequest request) {
			super(request);
			this.headers.addAll(request.getHeaders());
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

	}

}
