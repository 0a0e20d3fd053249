package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.ratelimit.Phase;
import dev.ratelimit.RateLimitContext;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.FormStep;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.RuleScope;
import dev.ratelimit.web.response.HeaderFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;

/**
 * Internal: evaluates servlet requests at the gate in one phase. Waits for the store no
 * longer than the deadline, on the thread of the request, platform or virtual.
 */
final class RateLimitFilter implements Filter {

	private final Phase phase;

	private final RequestGate gate;

	private final HeaderFactory headers;

	private final ServletRejections rejections;

	private final ServletHandlers handlers;

	private final ServletThreads threads;

	/**
	 * Create a filter for one phase.
	 * @param phase early or late
	 * @param gate the gate
	 * @param headers creates the header fields
	 * @param rejections the writer of rejections
	 * @param handlers the handler methods
	 * @param threads the threads that wait, or that read forms
	 */
	RateLimitFilter(Phase phase, RequestGate gate, HeaderFactory headers, ServletRejections rejections,
			ServletHandlers handlers, ServletThreads threads) {
		this.phase = phase;
		this.gate = gate;
		this.headers = headers;
		this.rejections = rejections;
		this.handlers = handlers;
		this.threads = threads;
	}

	boolean hasRules() {
		RequestProgress now = this.gate.begin(RequestProgress.START);
		return this.gate.has(Phase.EARLY, now) || this.gate.has(Phase.LATE, now);
	}

	// Spring Security runs between the phases and may set Cache-Control, which decides
	// whether the fields are disclosed.
	private boolean watches(RequestProgress begun) {
		return this.phase == Phase.EARLY && this.gate.has(Phase.LATE, begun)
				&& this.headers.visibility().dependsOnCaching();
	}

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		ServletProgress state = ServletProgress.of(request);
		if (isRepeated(request) || isForwardedOn(request, state) || !state.enter(this)) {
			chain.doFilter(request, response);
			return;
		}
		try {
			filter(state, (HttpServletRequest) request, (HttpServletResponse) response, chain);
		}
		finally {
			state.leave();
		}
	}

	/**
	 * Whether a request is dispatched again, to continue asynchronously or to create its
	 * error page.
	 * @param request the request
	 * @return whether it was evaluated before
	 */
	static boolean isRepeated(ServletRequest request) {
		return request.getDispatcherType() == DispatcherType.ASYNC
				|| request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) != null;
	}

	// An error page may be created by a forward.
	static boolean isErrorPage(ServletRequest request) {
		return request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) != null;
	}

	// A forward is evaluated if an earlier filter has forwarded the request before this
	// phase.
	private boolean isForwardedOn(ServletRequest request, ServletProgress state) {
		if (request.getDispatcherType() != DispatcherType.FORWARD) {
			return false;
		}
		ServletGateRequest seen = state.seen();
		return isErrorPage(request)
				|| (seen != null && (seen.isHandedOver() || (!seen.isForwarded() && state.hasReached(this.phase))));
	}

	private void filter(ServletProgress state, HttpServletRequest request, HttpServletResponse response,
			FilterChain chain) throws ServletException, IOException {
		RequestProgress begun = begin(state);
		if (!this.gate.has(this.phase, begun)) {
			if (this.gate.observesExempt(this.phase, begun)) {
				this.gate.observeExempt(new ServletGateRequest(request, this.handlers, begun, this.gate.addresses()),
						begun);
			}
			proceed(state, request,
					(watches(begun)) ? state.watch(this.headers.visibility(), request, response) : response, chain);
			return;
		}
		ServletGateRequest before = state.seen();
		ServletGateRequest view = view(request, begun);
		state.see(view);
		state.reach(this.phase);
		if (before != null && !before.hasPathOf(view)) {
			// The earlier phase has evaluated another path, so the early rules of this
			// path are still to be evaluated.
			enter(RuleScope.rewrittenBefore(this.phase), state, view, begun, request, response, chain);
			return;
		}
		enter(RuleScope.of(this.phase), state, view, begun, request, response, chain);
	}

	private RequestProgress begin(ServletProgress state) {
		RequestProgress begun = this.gate.begin(state.current());
		state.update(begun);
		return begun;
	}

	/**
	 * Apply the rules to a request whose path was changed after a filter evaluated it.
	 * @param request the request
	 * @param response the response
	 * @param chain the filters and the handler after this one
	 * @throws IOException if they fail
	 * @throws ServletException if they fail
	 */
	void filterRewritten(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		ServletProgress state = ServletProgress.of(request);
		RequestProgress begun = begin(state);
		ServletGateRequest before = state.seen();
		ServletGateRequest view = view(request, begun);
		view.handOver();
		state.see(view);
		if (before != null && before.hasPathOf(view)) {
			chain.doFilter(request, response);
			return;
		}
		enter(RuleScope.REWRITTEN, state, view, begun, request, response, chain);
	}

	private void enter(RuleScope scope, ServletProgress state, ServletGateRequest view, RequestProgress begun,
			HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		if (this.gate.readsForm(view, begun)) {
			view.setFormStep((progress) -> this.gate.enterForm(scope, view, progress));
		}
		RequestProgress entered = join(this.gate.enter(scope, view, begun));
		if (view.isSelectedByFields()) {
			view.setLastStep((progress) -> this.gate.enterSelected(scope, view, progress));
		}
		applyDecision(entered, state, view, request, response, chain);
	}

	private void applyDecision(RequestProgress arrived, ServletProgress state, ServletGateRequest view,
			HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		RequestProgress progress = (arrived.waits()) ? waited(arrived, response) : arrived;
		if (!progress.allowed()) {
			this.rejections.reject(progress, request, view, response);
			observe(view, response);
			return;
		}
		HttpServletResponse limited;
		try {
			limited = respond(progress, state, request, response);
		}
		catch (RuntimeException | Error ex) {
			progress.abandon();
			throw ex;
		}
		FormStep form = view.nextStep();
		if (form != null) {
			proceed(state, request, limited, (sameRequest, sameResponse) -> enterWithForm(form, state, view,
					(HttpServletResponse) sameResponse, chain));
		}
		else if (!this.gate.isLast(this.phase, progress) || progress.delay().leftNanos() == 0 || delayed(progress)) {
			proceed(state, request, limited, chain);
		}
		else {
			progress.abandon();
			this.rejections.overcrowded(progress, request, view, response);
		}
	}

	// Reads the form on the request's own thread.
	private void enterWithForm(FormStep step, ServletProgress state, ServletGateRequest view,
			HttpServletResponse response, FilterChain chain) throws IOException, ServletException {
		RequestProgress progress;
		try {
			progress = join(step.enter(state.current()));
		}
		catch (UnreadableFormException ex) {
			response.sendError(ex.status(), ex.getReason());
			return;
		}
		HttpServletRequest forHandler = view.forHandler();
		applyDecision(progress, state, view, forHandler, response, (forHandler instanceof FormRequest form)
				? (sameRequest, sameResponse) -> proceedWithForm(form, sameResponse, chain) : chain);
	}

	// If the form is read only when a filter or handler requests it, it may be
	// unreadable. The request is then rejected with the same status as by the server.
	private static void proceedWithForm(FormRequest form, ServletResponse response, FilterChain chain)
			throws IOException, ServletException {
		try {
			form.inContext(response, chain);
		}
		catch (UnreadableFormException ex) {
			if (response.isCommitted()) {
				throw ex;
			}
			((HttpServletResponse) response).sendError(ex.status(), ex.getReason());
		}
	}

	// Wait on the request thread: an asynchronous dispatch would bypass the security
	// filters.
	private RequestProgress waited(RequestProgress arrived, HttpServletResponse response) throws ServletException {
		RequestProgress progress = await(arrived);
		this.headers.timing(arrived).ifPresent((timing) -> response.addHeader(HeaderFactory.TIMING, timing));
		return progress;
	}

	private RequestProgress await(RequestProgress waiting) throws ServletException {
		try {
			return this.threads.waiting().await(waiting);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new ServletException("interrupted while the request waited for its turn", ex);
		}
	}

	private boolean delayed(RequestProgress progress) throws ServletException {
		try {
			return this.threads.waiting().delay(progress);
		}
		catch (InterruptedException ex) {
			progress.abandon();
			Thread.currentThread().interrupt();
			throw new ServletException("interrupted while a rate limit delayed the request", ex);
		}
	}

	private ServletGateRequest view(HttpServletRequest request, RequestProgress begun) {
		return new ServletGateRequest(request, this.handlers, begun, this.gate.addresses(), this.threads);
	}

	private HttpServletResponse respond(RequestProgress progress, ServletProgress state, HttpServletRequest request,
			HttpServletResponse response) {
		this.gate.count(!state.current().untouched(), progress);
		this.gate.observer().responding(state.current(), response, HttpServletResponse::containsHeader);
		HttpServletResponse limited = (progress != state.current()) ? writeHeaders(progress, state, request, response)
				: response;
		state.update(progress);
		return limited;
	}

	private HttpServletResponse writeHeaders(RequestProgress progress, ServletProgress state,
			HttpServletRequest request, HttpServletResponse response) {
		request.setAttribute(RateLimitContext.ATTRIBUTE, new RateLimitContext(progress.decision()));
		return state.writeHeaders(this.headers.fields(progress), this.headers.visibility(), request, response);
	}

	// Rethrow the server's own exception: it carries the status of a malformed form.
	private static RequestProgress join(CompletableFuture<RequestProgress> progress) {
		try {
			return progress.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	private void proceed(ServletProgress state, HttpServletRequest request, HttpServletResponse response,
			FilterChain next) throws ServletException, IOException {
		RequestProgress progress = state.current();
		boolean ends = progress.pending() || this.gate.endsAfter(this.phase, progress);
		if (ends && state.completion() == null) {
			ServletCompletion completion = new ServletCompletion(request, response, state::connection);
			state.expect(completion);
			completion.filter(next, state::current, request, response);
		}
		else {
			next.doFilter(request, response);
		}
	}

	private void observe(GateRequest rejected, HttpServletResponse response) {
		this.gate.observer().rejected(rejected, response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN));
	}

}
