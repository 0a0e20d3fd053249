package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.Phase;
import dev.ratelimit.RateLimitContext;
import dev.ratelimit.web.HeaderField;
import dev.ratelimit.web.Passage;
import dev.ratelimit.web.Refusal;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.ResponseWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets servlet requests through the gate in one phase. Waits for the store no longer than
 * the deadline, on the request's own thread, platform or virtual.
 *
 * @since 0.1.0
 */
public final class RateLimitFilter extends OncePerRequestFilter {

	private static final String PASSAGE = RateLimitFilter.class.getName() + ".PASSAGE";

	private final Phase phase;

	private final RequestGate gate;

	private final ResponseWriter writer;

	private final ServletHandlers handlers;

	private final WaitingRoom waitingRoom;

	/**
	 * A filter for one phase.
	 * @param phase early or late
	 * @param gate the gate
	 * @param writer the writer of what is told
	 * @param handlers the handler methods
	 * @param waitingRoom where requests wait that a limit holds
	 */
	public RateLimitFilter(Phase phase, RequestGate gate, ResponseWriter writer, ServletHandlers handlers,
			WaitingRoom waitingRoom) {
		this.phase = phase;
		this.gate = gate;
		this.writer = writer;
		this.handlers = handlers;
		this.waitingRoom = waitingRoom;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return !this.gate.has(this.phase);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		Passage sofar = (request.getAttribute(PASSAGE) instanceof Passage passage) ? passage : Passage.START;
		Passage passage = this.gate.enter(this.phase, new ServletGateRequest(request, this.handlers, sofar), sofar)
			.join();
		if (!passage.allowed()) {
			refuse(this.writer.refusal(passage.decision(), request.getRequestURI()), response);
			return;
		}
		if (passage != sofar) {
			request.setAttribute(PASSAGE, passage);
			request.setAttribute(RateLimitContext.ATTRIBUTE, new RateLimitContext(passage.decision()));
			for (HeaderField field : this.writer.fields(passage.decision())) {
				response.setHeader(field.name(), field.value());
			}
		}
		proceed(request, response, chain, passage);
	}

	private void proceed(HttpServletRequest request, HttpServletResponse response, FilterChain chain, Passage passage)
			throws ServletException, IOException {
		FilterChain next = chain;
		if (this.gate.isLast(this.phase) && passage.holdNanos() > 0) {
			if (!this.waitingRoom.enter()) {
				passage.decision().reservation().cancel();
				refuse(this.writer.overcrowded(passage, request.getRequestURI()), response);
				return;
			}
			next = this.waitingRoom.waiting(passage, chain);
		}
		if (passage.completion().pending()) {
			ServletCompletion.filter(next, request, response, passage.completion());
		}
		else {
			next.doFilter(request, response);
		}
	}

	private static void refuse(Refusal refusal, HttpServletResponse response) throws IOException {
		response.setStatus(refusal.status());
		ResponseWriter.FIELDS.forEach((name) -> response.setHeader(name, null));
		refusal.fields().forEach((field) -> response.setHeader(field.name(), field.value()));
		response.setContentLength(refusal.body().length);
		response.getOutputStream().write(refusal.body());
		response.flushBuffer();
	}

}
