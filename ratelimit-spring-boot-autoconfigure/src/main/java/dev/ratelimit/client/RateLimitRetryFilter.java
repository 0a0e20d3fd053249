package dev.ratelimit.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.web.reactive.function.BodyInserter;
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
			RequestAttempts attempts = RequestAttempts.begin(this.retry, this.budget, request.method(), request.url(),
					request.headers());
			RepeatableBody body = new RepeatableBody(request.body());
			ClientRequest attempt = (attempts.mayRepeat()) ? ClientRequest.from(request).body(body).build() : request;
			Exchange exchange = () -> send(attempts, () -> next.exchange(attempt));
			return after(attempts.hold(), exchange).flatMap((response) -> follow(attempts, body, response, exchange));
		});
	}

	private Mono<ClientResponse> send(RequestAttempts attempts, Exchange exchange) {
		return Mono.defer(exchange::send)
			.retryWhen(
					Retry.from((signals) -> signals.concatMap((signal) -> untilCharged(attempts, signal.failure()))));
	}

	private Mono<Boolean> untilCharged(RequestAttempts attempts, Throwable failure) {
		return (failure instanceof RateLimitExceededException rejection)
				? this.retry.time().delay(attempts.untilCharged(rejection)).thenReturn(true) : Mono.error(failure);
	}

	private Mono<ClientResponse> follow(RequestAttempts attempts, RepeatableBody body, ClientResponse response,
			Exchange again) {
		Optional<Duration> wait = attempts.next(response.statusCode().value(), response.headers().asHttpHeaders(),
				body.repeats());
		if (wait.isEmpty()) {
			return Mono.just(response);
		}
		// Releases the connection before the wait.
		return response.releaseBody()
			.then(after(wait.get(), again))
			.flatMap((following) -> follow(attempts, body, following, again));
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

	/**
	 * A body that stores its first content, if the content is a single buffer, and writes
	 * the same content in later attempts. The source of the body is read once, because it
	 * may be consumed afterwards.
	 */
	private static final class RepeatableBody implements BodyInserter<Object, ClientHttpRequest> {

		private static final int MAX_BYTES = 1024 * 1024;

		private static final List<String> ABOUT_THE_BODY = List.of(HttpHeaders.CONTENT_TYPE,
				HttpHeaders.CONTENT_LENGTH);

		private final BodyInserter<?, ? super ClientHttpRequest> source;

		private volatile @Nullable Written written;

		RepeatableBody(BodyInserter<?, ? super ClientHttpRequest> source) {
			this.source = source;
		}

		// Whether the content of the first attempt, which may be empty, can be written
		// again.
		boolean repeats() {
			return this.written != null;
		}

		@Override
		public Mono<Void> insert(ClientHttpRequest output, Context context) {
			Written written = this.written;
			return (written != null) ? written.writeTo(output) : this.source.insert(new Recorder(output), context);
		}

		/**
		 * The content that was written.
		 *
		 * @param bytes the body; null if it is empty
		 * @param headers the headers that describe the body
		 */
		private record Written(byte @Nullable [] bytes, HttpHeaders headers) {

			static Written of(@Nullable DataBuffer buffer, HttpHeaders all) {
				HttpHeaders headers = new HttpHeaders();
				ABOUT_THE_BODY.forEach((name) -> headers.addAll(name, all.getOrEmpty(name)));
				return new Written((buffer != null) ? copy(buffer) : null, headers);
			}

			private static byte[] copy(DataBuffer buffer) {
				byte[] copy = new byte[buffer.readableByteCount()];
				int position = buffer.readPosition();
				buffer.read(copy).readPosition(position);
				return copy;
			}

			Mono<Void> writeTo(ClientHttpRequest output) {
				this.headers.forEach((name, values) -> output.getHeaders().put(name, values));
				byte[] bytes = this.bytes;
				return (bytes != null) ? output.writeWith(Mono.fromSupplier(() -> output.bufferFactory().wrap(bytes)))
						: output.setComplete();
			}

		}

		private final class Recorder extends ClientHttpRequestDecorator {

			Recorder(ClientHttpRequest output) {
				super(output);
			}

			@Override
			public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
				return super.writeWith(
						(body instanceof Mono<? extends DataBuffer> whole) ? whole.doOnSuccess(this::record) : body);
			}

			@Override
			public Mono<Void> setComplete() {
				record(null);
				return super.setComplete();
			}

			private void record(@Nullable DataBuffer buffer) {
				if (buffer == null || buffer.readableByteCount() <= MAX_BYTES) {
					RepeatableBody.this.written = Written.of(buffer, getHeaders());
				}
			}

		}

	}

}
