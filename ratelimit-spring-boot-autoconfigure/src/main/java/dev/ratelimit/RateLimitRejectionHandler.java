package dev.ratelimit;

/**
 * Callback to customize the responses to rejected requests, the same with Spring MVC and
 * WebFlux. A bean of this type is called for every rejection. The limiter only adds CORS
 * headers and the content length to the response that it returns. The request is always
 * rejected: if the handler fails, the default response is sent. The handler is called on
 * the thread of the request. It must be thread-safe and must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RateLimitRejectionHandler {

	/**
	 * Handle a rejection.
	 * @param rejection the default response
	 * @param request the request
	 * @return the rejection, or a modified copy of it
	 */
	Rejection handle(Rejection rejection, RequestView request);

}
