package dev.ratelimit.gate;

import reactor.util.context.ContextView;

/**
 * Internal: the HTTP request during which code is called, if the thread or the
 * subscription provides it.
 */
@FunctionalInterface
public interface CallOrigin {

	/** Never finds a request. */
	CallOrigin UNKNOWN = (subscription) -> true;

	/**
	 * Whether a page of another site may make the client send the request.
	 * @param subscription the context of the subscription; empty for a call that blocks
	 * @return true if a page of another site may cause the request, or if no request is
	 * found
	 */
	boolean isCrossSite(ContextView subscription);

}
