package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.ratelimit.Phase;
import dev.ratelimit.RateLimitContext;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.HeaderFactory;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.request.GateRequest;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Internal: lets servlet requests through the gate in one phase. Waits for the store no
 * longer than the deadline, on the request's own thread, platform or virtual.
 */
public final class RateLimitFilter extends OncePerRequestFilter {

	private static final String SEEN = RateLimitFilter.class.getName() + ".SEEN";

	private final Phase phase;

	private final RequestGate gate;

	private final HeaderFactory writer;

	private final ServletRejections rejections;

	private final ServletHandlers handlers;

	private final RequestDelayer waitingRoom;

	/**
	 * A filter for one phase.
	 * @param phase early or late
	 * @param gate the gate
	 * @param writer the writer of what is told
	 * @param rejections the writer of rejections
	 * @param handlers the handler methods
	 * @param waitingRoom where requests wait that a limit holds
	 */
	public RateLimitFilter(Phase phase, RequestGate gate, HeaderFactory writer, ServletRejections rejections,
			ServletHandlers handlers, RequestDelayer waitingRoom) {
		this.phase = phase;
		this.gate = gate;
		this.writer = writer;
		this.rejections = rejections;
		this.handlers = handlers;
		this.waitingRoom = waitingRoom;
	}

	boolean hasRules() {
		RequestProgress now = this.gate.begin(RequestProgress.START);
		return this.gate.has(Phase.EARLY, now) || this.gate.has(Phase.LATE, now);
	}

	// What comes between the phases may be what makes a response private.
	private boolean watches(RequestProgress sofar) {
		return this.phase == Phase.EARLY && this.gate.has(Phase.LATE, sofar)
				&& this.writer.disclosure().dependsOnCaching();
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		RequestProgress sofar = this.gate.begin(ServletProgress.of(request));
		if (!this.gate.has(this.phase, sofar)) {
			ServletProgress.set(request, sofar);
			proceed(request,
					(watches(sofar)) ? RateLimitResponse.watch(this.writer.disclosure(), request, response) : response,
					chain, sofar);
			return;
		}
		ServletGateRequest view = new ServletGateRequest(request, this.handlers, sofar, this.gate.addresses());
		request.setAttribute(SEEN, view);
		act(reached(this.gate.enter(this.phase, view, sofar)), sofar, view, request, response, chain);
	}

	/**
	 * The request as the phase before has seen it.
	 * @param request the request
	 * @return what was seen; null if no phase has seen it
	 */
	static @Nullable ServletGateRequest seen(HttpServletRequest request) {
		return (request.getAttribute(SEEN) instanceof ServletGateRequest seen) ? seen : null;
	}

	/**
	 * Let a request through the gate whose path has changed since a filter has seen it.
	 * @param request the request
	 * @param response the response
	 * @param chain what comes behind
	 * @throws IOException if it fails behind
	 * @throws ServletException if it fails behind
	 */
	void filterRewritten(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		RequestProgress sofar = this.gate.begin(ServletProgress.of(request));
		ServletGateRequest before = seen(request);
		ServletGateRequest view = new ServletGateRequest(request, this.handlers, sofar, this.gate.addresses());
		view.handOver();
		request.setAttribute(SEEN, view);
		if (before != null && before.hasPathOf(view)) {
			chain.doFilter(request, response);
			return;
		}
		act(reached(this.gate.enterRewritten(view, sofar)), sofar, view, request, response, chain);
	}

	private void act(RequestProgress progress, RequestProgress sofar, ServletGateRequest view,
			HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (!progress.allowed()) {
			this.rejections.reject(progress, request, view, response);
			observe(view, response);
			return;
		}
		HttpServletResponse told = response;
		if (this.gate.observations().looksAtResponse(sofar)) {
			this.gate.observations().answering(response::containsHeader);
		}
		ServletProgress.set(request, progress);
		if (progress != sofar) {
			request.setAttribute(RateLimitContext.ATTRIBUTE, new RateLimitContext(progress.decision()));
			told = RateLimitResponse.tell(this.writer.fields(progress), this.writer.disclosure(), request, response);
		}
		if (!this.gate.isLast(this.phase, progress) || progress.hold().leftNanos() == 0) {
			proceed(request, told, chain, progress);
		}
		else if (this.waitingRoom.enter()) {
			proceed(request, told, this.waitingRoom.waiting(progress, chain), progress);
		}
		else {
			progress.decision().reservation().cancel();
			this.rejections.overcrowded(progress, request, view, response);
		}
	}

	// What fails is the server's reading of the request, in the server's own words.
	private static RequestProgress reached(CompletableFuture<RequestProgress> progress) {
		try {
			return progress.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	private void proceed(HttpServletRequest request, HttpServletResponse response, FilterChain next,
			RequestProgress progress) throws ServletException, IOException {
		boolean ends = progress.pending() || this.gate.endsAfter(this.phase, progress);
		if (ends && !ServletCompletion.isExpected(request)) {
			ServletCompletion.filter(next, request, response);
		}
		else {
			next.doFilter(request, response);
		}
	}

	private void observe(GateRequest rejected, HttpServletResponse response) {
		this.gate.observations().rejected(rejected, response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN));
	}

}
