package dev.ratelimit;

/**
 * Says how requests are refused, alike on servlet and WebFlux; a bean of the application
 * is asked for every refusal. What it returns is written as it is: the limiter adds only
 * the header fields of CORS and the length of the content. Whatever it does, the request
 * is refused; where it fails, as if it were not there. Called on the request's own
 * thread: must be thread-safe and must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RateLimitRejectionHandler {

	/**
	 * How a request is refused.
	 * @param refusal what is written unless this handler changes it
	 * @param request the request
	 * @return the refusal, or another made from it
	 */
	Rejection handle(Rejection refusal, RequestView request);

}
