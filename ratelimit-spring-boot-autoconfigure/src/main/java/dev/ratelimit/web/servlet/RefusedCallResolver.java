package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.gate.Passage;
import dev.ratelimit.web.refusal.RefusedCall;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Internal: refuses a request whose handler was refused by a limited method, unless the
 * application handles the exception itself.
 */
public final class RefusedCallResolver implements HandlerExceptionResolver {

	private final ServletRefusals refusals;

	private final ServletHandlers handlers;

	private final ClientAddresses addresses;

	/**
	 * A resolver.
	 * @param refusals the writer of refusals
	 * @param handlers the handler methods
	 * @param addresses finds clients' addresses
	 */
	public RefusedCallResolver(ServletRefusals refusals, ServletHandlers handlers, ClientAddresses addresses) {
		this.addresses = addresses;
		this.refusals = refusals;
		this.handlers = handlers;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception failure) {
		Optional<RateLimitExceededException> refusal = RefusedCall.in(failure);
		if (refusal.isEmpty() || response.isCommitted()) {
			return null;
		}
		try {
			response.resetBuffer();
			this.refusals.refuse(Passage.of(refusal.get().decision()), request,
					new ServletGateRequest(request, this.handlers, Passage.START, this.addresses), response);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new ModelAndView();
	}

}
