package dev.ratelimit.client;

import java.time.Duration;
import java.util.Optional;

import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Retries rejected requests of a {@code WebClient}, without blocking a thread. Requests
 * with a streamed body, or with a body larger than 1 MiB, are not retried. Use a separate
 * filter for each client, because it contains the client's budget. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RateLimitRetryFilter implements ExchangeFilterFunction {

	private final RateLimitRetry retry;

	private final RetryBudget budget;

	/**
	 * Create a filter.
	 * @param retry the retry behavior
	 */
	public RateLimitRetryFilter(RateLimitRetry retry) {
		this.retry = retry;
		this.budget = retry.budget();
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return Mono.defer(() -> {
			RequestAttempts course = RequestAttempts.begin(this.retry, this.budget, request.method(), request.url(),
					request.headers());
			RepeatableBody body = new RepeatableBody(request.body());
			ClientRequest attempt = (course.mayRepeat()) ? ClientRequest.from(request).body(body).build() : request;
			Mono<ClientResponse> first = after(course.hold(), () -> next.exchange(attempt));
			return first.flatMap((response) -> follow(course, body, response, () -> next.exchange(attempt)));
		});
	}

	private Mono<ClientResponse> follow(RequestAttempts course, RepeatableBody body, ClientResponse response,
			Exchange again) {
		Optional<Duration> wait = course.next(response.statusCode().value(), response.headers().asHttpHeaders(),
				body.repeats());
		if (wait.isEmpty()) {
			return Mono.just(response);
		}
		// Before the wait: it holds a connection.
		return response.releaseBody()
			.then(after(wait.get(), again))
			.flatMap((following) -> follow(course, body, following, again));
	}

	private Mono<ClientResponse> after(Duration wait, Exchange exchange) {
		Mono<ClientResponse> response = Mono.defer(exchange::send);
		return (wait.isZero()) ? response : this.retry.time().delay(wait).then(response);
	}

	/**
	 * One attempt.
	 */
	private interface Exchange {

		Mono<ClientResponse> send();

	}

}
