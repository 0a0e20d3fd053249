package dev.ratelimit.client;

import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Charges a quota before each request of a {@code WebClient} is sent, without blocking a
 * thread. A request that the quota rejects is not sent; its publisher fails with a
 * {@link dev.ratelimit.RateLimitExceededException}. A request that is cancelled while it
 * waits is not charged. Add the filter after those that retry, so that each attempt is
 * charged. Thread-safe.
 *
 * @since 0.1.0
 */
public final class QuotaFilter implements ExchangeFilterFunction {

	private final Quotas quotas;

	/**
	 * Create a filter.
	 * @param quotas the quotas
	 */
	public QuotaFilter(Quotas quotas) {
		this.quotas = quotas;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return this.quotas.of(request.url())
			.map((quota) -> this.quotas.charge(quota)
				.then(Mono.defer(() -> next.exchange(request)))
				.doOnNext((response) -> this.quotas.received(quota, response.statusCode().value(),
						response.headers().asHttpHeaders())))
			.orElseGet(() -> next.exchange(request));
	}

}
