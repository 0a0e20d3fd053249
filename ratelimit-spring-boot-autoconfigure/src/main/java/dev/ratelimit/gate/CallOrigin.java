package dev.ratelimit.gate;

import reactor.util.context.ContextView;

/**
 * Internal: the HTTP request within which code is called, as far as the thread or the
 * subscription shows it.
 */
@FunctionalInterface
public interface CallOrigin {

	/** No request is ever found. */
	CallOrigin UNKNOWN = (subscription) -> true;

	/**
	 * Whether a page of another site may make the client send the request.
	 * @param subscription the context of the subscription; empty for a call that blocks
	 * @return whether it may be without the client's knowledge; also if no request is
	 * found
	 */
	boolean isCrossSite(ContextView subscription);

}
