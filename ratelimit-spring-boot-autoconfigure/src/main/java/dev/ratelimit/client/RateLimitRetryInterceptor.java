package dev.ratelimit.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.support.HttpRequestWrapper;

/**
 * Retries rejected requests of a {@code RestClient} or {@code RestTemplate}. The calling
 * thread waits. If it is interrupted, the call ends with an
 * {@link InterruptedIOException}, and the thread stays interrupted. Use a separate
 * interceptor for each client, because it contains the client's budget. Thread-safe.
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
		sleep(attempts.hold());
		while (true) {
			ClientHttpResponse response = execution.execute(new Attempt(request), body);
			Optional<Duration> wait = next(attempts, response);
			if (wait.isEmpty()) {
				return response;
			}
			// Releases the connection before the wait.
			response.close();
			sleep(wait.get());
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

	private void sleep(Duration wait) throws InterruptedIOException {
		if (wait.isZero()) {
			return;
		}
		try {
			this.retry.time().sleep(wait);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			InterruptedIOException interrupted = new InterruptedIOException("interrupted while waiting for a retry");
			interrupted.initCause(ex);
			throw interrupted;
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
