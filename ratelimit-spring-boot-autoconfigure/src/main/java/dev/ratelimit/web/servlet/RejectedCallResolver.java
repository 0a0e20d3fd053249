package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.RejectedCall;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Internal: rejects a request whose handler was rejected by a limited method, unless the
 * application handles the exception itself.
 */
final class RejectedCallResolver implements HandlerExceptionResolver {

	private final ServletRejections rejections;

	private final ServletHandlers handlers;

	private final ClientAddresses addresses;

	/**
	 * Create a resolver.
	 * @param rejections the writer of rejections
	 * @param handlers the handler methods
	 * @param addresses finds clients' addresses
	 */
	RejectedCallResolver(ServletRejections rejections, ServletHandlers handlers, ClientAddresses addresses) {
		this.addresses = addresses;
		this.rejections = rejections;
		this.handlers = handlers;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception failure) {
		Optional<RateLimitExceededException> rejection = RejectedCall.in(failure);
		if (rejection.isEmpty() || response.isCommitted()) {
			return null;
		}
		try {
			response.resetBuffer();
			this.rejections.reject(RequestProgress.of(rejection.get().decision()), request,
					new ServletGateRequest(request, this.handlers, RequestProgress.START, this.addresses), response);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new ModelAndView();
	}

}
