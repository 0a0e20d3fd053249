package dev.ratelimit;

import java.time.Duration;
import java.util.function.Function;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Limits for Reactor streams.
 *
 * @since 0.1.0
 */
public final class ReactorLimits {

	private ReactorLimits() {
	}

	/**
	 * Charge each element of a stream, one after the other, and hold it back until its
	 * turn comes. If the rule is a leaky bucket, an element is also held back for as long
	 * as the bucket delays it. <pre>{@code
	 * flux.transformDeferred(ReactorLimits.each(limiter, "partner", "global", Duration.ofSeconds(2)))
	 * }</pre>
	 * @param <T> the elements
	 * @param limiter the limiter
	 * @param ruleId the rule
	 * @param subject the subject, such as {@code user:42}
	 * @param maxWait the maximum wait of one element, up to one hour; 0 does not wait
	 * @return for {@link Flux#transformDeferred}; the stream fails with a
	 * {@link RateLimitExceededException} if an element is rejected
	 */
	public static <T> Function<Flux<T>, Flux<T>> each(RateLimiter limiter, String ruleId, String subject,
			Duration maxWait) {
		return (elements) -> elements.concatMap((element) -> limiter.acquire(ruleId, subject, 1, maxWait)
			.flatMap((decision) -> (decision.allowed()) ? later(element, decision.delayMillis())
					: Mono.error(() -> new RateLimitExceededException(decision))));
	}

	private static <T> Mono<T> later(T element, long delayMillis) {
		return (delayMillis > 0) ? Mono.delay(Duration.ofMillis(delayMillis)).thenReturn(element) : Mono.just(element);
	}

}
