package dev.ratelimit.client;

import java.io.IOException;
import java.util.Optional;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Charges a quota before each request of a {@code RestClient} or {@code RestTemplate} is
 * sent. The calling thread waits. A request that the quota rejects is not sent; the call
 * ends with a {@link dev.ratelimit.RateLimitExceededException}. Add the interceptor after
 * those that retry, so that each attempt is charged. Thread-safe.
 *
 * @since 0.1.0
 */
public final class QuotaInterceptor implements ClientHttpRequestInterceptor {

	private final Quotas quotas;

	/**
	 * Create an interceptor.
	 * @param quotas the quotas
	 */
	public QuotaInterceptor(Quotas quotas) {
		this.quotas = quotas;
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		Optional<Quota> quota = this.quotas.of(request.getURI());
		if (quota.isEmpty()) {
			return execution.execute(request, body);
		}
		this.quotas.chargeBlocking(quota.get());
		ClientHttpResponse response = execution.execute(request, body);
		try {
			this.quotas.received(quota.get(), response.getStatusCode().value(), response.getHeaders());
			return response;
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

}
