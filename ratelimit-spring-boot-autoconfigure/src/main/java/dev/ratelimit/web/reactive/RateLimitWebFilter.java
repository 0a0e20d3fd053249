package dev.ratelimit.web.reactive;

import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import dev.ratelimit.Phase;
import dev.ratelimit.RateLimitContext;
import dev.ratelimit.gate.Delay;
import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.EventStreams;
import dev.ratelimit.web.FormStep;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.RuleScope;
import dev.ratelimit.web.response.HeaderFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Internal: lets WebFlux requests through the gate in one phase, without blocking.
 */
final class RateLimitWebFilter implements WebFilter, Ordered {

	private final Phase phase;

	private final int order;

	private final RequestGate gate;

	private final HeaderFactory headers;

	private final ReactiveRejections rejections;

	private final ReactiveHandlers handlers;

	private final Predicate<Principal> authenticated;

	/**
	 * Create a filter for one phase.
	 * @param phase early or late
	 * @param order its order among the filters
	 * @param gate the gate
	 * @param headers creates the header fields
	 * @param rejections the writer of rejections
	 * @param handlers the handler methods
	 * @param authenticated distinguishes principals from anonymous ones
	 */
	RateLimitWebFilter(Phase phase, int order, RequestGate gate, HeaderFactory headers, ReactiveRejections rejections,
			ReactiveHandlers handlers, Predicate<Principal> authenticated) {
		this.phase = phase;
		this.order = order;
		this.gate = gate;
		this.headers = headers;
		this.rejections = rejections;
		this.handlers = handlers;
		this.authenticated = authenticated;
	}

	Phase phase() {
		return this.phase;
	}

	@Override
	public int getOrder() {
		return this.order;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		ExchangeProgress state = ExchangeProgress.of(exchange);
		RequestProgress begun = this.gate.begin(state.current());
		state.update(begun);
		if (!this.gate.has(this.phase, begun)) {
			return (this.gate.observesExempt(this.phase, begun)) ? exempt(exchange, state, chain)
					: proceed((watches(begun)) ? state.watch(List.of(), this.headers.visibility(), exchange) : exchange,
							state, chain);
		}
		if (this.phase == Phase.EARLY) {
			return filter(exchange, state, chain, Optional.empty());
		}
		Mono<Principal> principal = exchange.getPrincipal();
		// An anonymous exchange returns the singleton empty Mono, for which no
		// subscription is required.
		if (principal == Mono.<Principal>empty()) {
			return filter(exchange, state, chain, Optional.empty());
		}
		return principal.filter(this.authenticated)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((authenticated) -> filter(exchange, state, chain, authenticated));
	}

	private Mono<Void> exempt(ServerWebExchange exchange, ExchangeProgress state, WebFilterChain chain) {
		return exchange.getPrincipal()
			.filter(this.authenticated)
			.doOnNext((principal) -> this.gate.observeExempt(
					new ExchangeGateRequest(exchange, this.handlers, Optional.of(principal), this.gate.addresses()),
					state.current()))
			.then(Mono.defer(() -> proceed(exchange, state, chain)));
	}

	// Filters between the phases may make the response private.
	private boolean watches(RequestProgress begun) {
		return this.phase == Phase.EARLY && this.gate.has(Phase.LATE, begun)
				&& this.headers.visibility().dependsOnCaching();
	}

	private Mono<Void> filter(ServerWebExchange exchange, ExchangeProgress state, WebFilterChain chain,
			Optional<Principal> principal) {
		RequestProgress begun = state.current();
		this.gate.observer()
			.responding(begun, exchange.getResponse(), (response, name) -> response.getHeaders().containsHeader(name));
		ExchangeGateRequest view = new ExchangeGateRequest(exchange, this.handlers, principal, this.gate.addresses());
		PathContainer before = state.seen();
		state.see(view.parsedPath());
		if (before != null && !before.value().equals(view.path())) {
			// The earlier phase has evaluated another path, so the early rules of this
			// path are still to be evaluated.
			return enter(RuleScope.rewrittenBefore(this.phase), view, exchange, chain);
		}
		return enter(RuleScope.of(this.phase), view, exchange, chain);
	}

	/**
	 * Whether the path of a request was changed after a filter of the limiter evaluated
	 * it.
	 * @param exchange the exchange
	 * @return whether it was rewritten
	 */
	static boolean isRewritten(ServerWebExchange exchange) {
		ExchangeProgress state = ExchangeProgress.find(exchange);
		PathContainer seen = (state != null) ? state.seen() : null;
		return seen != null && !seen.value().equals(exchange.getRequest().getPath().pathWithinApplication().value());
	}

	/**
	 * Apply the rules to a request whose path was changed after a filter evaluated it.
	 * @param exchange the exchange
	 * @param chain the filters and the handler after this one
	 * @return completed when the request is completed
	 */
	Mono<Void> filterRewritten(ServerWebExchange exchange, WebFilterChain chain) {
		return filterFurther(RuleScope.REWRITTEN, exchange, chain);
	}

	/**
	 * The filter of rules by their ids.
	 * @return the filter
	 */
	NamedRulesFilter named() {
		return (named, source, exchange, chain) -> Mono.defer(() -> {
			// The earlier attempt was rejected, and its response is already committed.
			if (exchange.getResponse().isCommitted()) {
				return Mono.empty();
			}
			HttpStatusCode status = exchange.getResponse().getStatusCode();
			ExchangeProgress.of(exchange).attempt(source, (status != null) ? status.value() : Ending.NO_STATUS);
			return filterFurther(named, exchange, chain);
		});
	}

	private Mono<Void> filterFurther(RuleScope scope, ServerWebExchange exchange, WebFilterChain chain) {
		return exchange.getPrincipal()
			.filter(this.authenticated)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((principal) -> enter(scope,
					new ExchangeGateRequest(exchange, this.handlers, principal, this.gate.addresses()), exchange,
					chain));
	}

	private Mono<Void> enter(RuleScope scope, ExchangeGateRequest view, ServerWebExchange exchange,
			WebFilterChain chain) {
		ExchangeProgress state = ExchangeProgress.of(exchange);
		if (this.gate.readsForm(view, state.current())) {
			view.setFormStep((progress) -> this.gate.enterForm(scope, view, progress));
		}
		return applyDecision(this.gate.enter(scope, view, state.current()), state, view, exchange, chain);
	}

	private Mono<Void> applyDecision(CompletableFuture<RequestProgress> progress, ExchangeProgress state,
			ExchangeGateRequest view, ServerWebExchange exchange, WebFilterChain chain) {
		if (progress.isDone() && !progress.isCompletedExceptionally()) {
			RequestProgress current = progress.join();
			if (current.waits()) {
				return waiting(exchange, state, view, chain, current);
			}
			Mono<Void> request = proceed(exchange, state, view, chain, current);
			return (current.allowed()) ? request : RequestThreads.afterRead(exchange.getRequest(), request);
		}
		// Changes the thread, so that the processing of the request does not block the
		// threads of the store. If a client disconnects during a call of the store, the
		// slots of its request are freed. Others may cancel only the steps from here on,
		// and repeat them.
		RequestProgress before = state.current();
		return Mono.fromFuture(progress, true)
			.publishOn(RequestThreads.of(exchange.getRequest()))
			.flatMap((current) -> (current.waits()) ? waiting(exchange, state, view, chain, current)
					: proceed(exchange, state, view, chain, current))
			.doOnCancel(() -> progress.thenAccept((current) -> current.freeSince(before)));
	}

	// Does not block a thread. The request of a client that disconnects leaves the queue.
	private Mono<Void> waiting(ServerWebExchange exchange, ExchangeProgress state, ExchangeGateRequest view,
			WebFilterChain chain, RequestProgress waiting) {
		RequestProgress before = state.current();
		return Mono.fromFuture(waiting.afterWait(), true)
			.doOnCancel(() -> waiting.freeSince(before))
			.publishOn(RequestThreads.of(exchange.getRequest()))
			.flatMap((current) -> {
				this.headers.timing(waiting)
					.ifPresent((timing) -> exchange.getResponse().getHeaders().add(HeaderFactory.TIMING, timing));
				return proceed(exchange, state, view, chain, current);
			});
	}

	private Mono<Void> proceed(ServerWebExchange exchange, ExchangeProgress state, ExchangeGateRequest view,
			WebFilterChain chain, RequestProgress progress) {
		if (!progress.allowed()) {
			return this.rejections.reject(progress, exchange, view).doFinally((end) -> observe(view, exchange));
		}
		this.gate.count(state.counted(), progress);
		Duration before = state.current().endings().maxRequestHold();
		state.update(progress);
		ReactiveCompletion.freeIfEnded(state);
		if (this.gate.seats(this.phase)) {
			ReactiveCompletion.watchStreams(exchange, state);
		}
		exchange.getAttributes().put(RateLimitContext.ATTRIBUTE, new RateLimitContext(progress.decision()));
		ServerWebExchange limited = state.writeHeaders(this.headers.fields(progress), this.headers.visibility(),
				exchange);
		Duration maxHold = progress.endings().maxRequestHold();
		FormStep form = view.nextStep();
		WebFilterChain afterRules = (form != null)
				? (same) -> applyDecision(form.enter(state.current()), state, view, same, chain) : chain;
		WebFilterChain next = (!maxHold.equals(before)) ? ReactiveCompletion.limited(afterRules, maxHold) : afterRules;
		return proceed(limited, state, (form != null) ? next : delaying(next, progress));
	}

	private Mono<Void> proceed(ServerWebExchange exchange, ExchangeProgress state, WebFilterChain chain) {
		RequestProgress progress = state.current();
		boolean ends = progress.pending() || this.gate.endsAfter(this.phase, progress);
		return (ends && state.expect()) ? ReactiveCompletion.filter(chain, exchange, state) : chain.filter(exchange);
	}

	private WebFilterChain delaying(WebFilterChain chain, RequestProgress progress) {
		boolean delayed = progress.delay() instanceof Delay.Until && this.gate.isLast(this.phase, progress);
		return (delayed) ? (exchange) -> Mono.delay(Duration.ofNanos(progress.delay().leftNanos()))
			.publishOn(RequestThreads.of(exchange.getRequest()))
			.then(Mono.defer(() -> chain.filter(exchange))) : chain;
	}

	private void observe(GateRequest rejected, ServerWebExchange exchange) {
		this.gate.observer()
			.rejected(rejected,
					exchange.getResponse().getHeaders().containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN));
	}

	/**
	 * Ends a request for all phases, in the outermost filter of the limiter: frees its
	 * slots after the processing, and corrects charges by the final status. Exception
	 * handlers further outside set the status of errors, so the status is read at the
	 * commit of the response. A request that is canceled before the commit has no status,
	 * and its charges remain.
	 */
	private static final class ReactiveCompletion {

		private ReactiveCompletion() {
		}

		static Mono<Void> filter(WebFilterChain chain, ServerWebExchange exchange, ExchangeProgress progress) {
			return chain.filter(exchange)
				.doOnSuccess((nothing) -> left(exchange, progress, status(exchange.getResponse())))
				.doOnError((failure) -> left(exchange, progress, Ending.NO_STATUS))
				.doOnCancel(() -> cancelled(exchange, progress));
		}

		/**
		 * End a request after the maximum time that it may hold its slots. A committed
		 * response is completed; otherwise, the request fails.
		 * @param chain the filters and the handler after this one
		 * @param maxHold the maximum time
		 * @return the chain to continue with
		 */
		static WebFilterChain limited(WebFilterChain chain, Duration maxHold) {
			return (exchange) -> chain.filter(exchange)
				.timeout(Mono.delay(maxHold),
						Mono.defer(() -> (exchange.getResponse().isCommitted()) ? Mono.empty()
								: Mono.error(new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE,
										"The request has taken too long"))));
		}

		/**
		 * Free the slots of a request that ended before it was allowed, because a client
		 * may disconnect while a filter between the phases runs.
		 * @param progress the progress, with the slots
		 */
		static void freeIfEnded(ExchangeProgress progress) {
			if (progress.ended()) {
				progress.current().free();
			}
		}

		/**
		 * Free the slots that long-lived responses do not hold, as soon as the response
		 * is known to be a stream of events or an upgrade of the connection.
		 * @param exchange the exchange
		 * @param progress the progress
		 */
		static void watchStreams(ServerWebExchange exchange, ExchangeProgress progress) {
			exchange.getResponse().beforeCommit(() -> {
				if (streams(exchange)) {
					progress.current().endings().startStreaming();
				}
				return Mono.empty();
			});
		}

		private static boolean streams(ServerWebExchange exchange) {
			Object handler = exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
			return EventStreams.isDeclared(exchange.getResponse().getHeaders().getFirst(HttpHeaders.CONTENT_TYPE),
					handler, exchange.getAttribute(HandlerMapping.PRODUCIBLE_MEDIA_TYPES_ATTRIBUTE))
					|| status(exchange.getResponse()) == HttpStatus.SWITCHING_PROTOCOLS.value()
					|| isConnect(exchange.getRequest(), handler);
		}

		// Reactor Netty switches the protocol without the status 101. The handler is
		// checked in addition, because a client can send the header without a WebSocket.
		private static boolean isConnect(ServerHttpRequest request, @Nullable Object handler) {
			return request.getMethod().name().equals("CONNECT") || (handler instanceof WebSocketHandler
					&& "websocket".equalsIgnoreCase(request.getHeaders().getUpgrade()));
		}

		private static void left(ServerWebExchange exchange, ExchangeProgress state, int soFar) {
			RequestProgress progress = state.end();
			if (!progress.pending()) {
				return;
			}
			free(state, progress, soFar);
			ServerHttpResponse response = exchange.getResponse();
			if (response.isCommitted()) {
				progress.settle(status(response));
			}
			else if (state.settle()) {
				// If the exchange is repeated, the charges of this attempt may be settled
				// before the commit.
				response.beforeCommit(() -> Mono.fromRunnable(() -> state.current().settle(status(response))));
			}
		}

		private static void cancelled(ServerWebExchange exchange, ExchangeProgress state) {
			RequestProgress progress = state.end();
			free(state, progress, Ending.NO_STATUS);
			if (exchange.getResponse().isCommitted()) {
				progress.settle(status(exchange.getResponse()));
			}
		}

		// A connection holds its slots until it is closed.
		private static void free(ExchangeProgress state, RequestProgress progress, int status) {
			if (state.connection() != null) {
				progress.endings().freeRequest(status);
			}
			else {
				progress.free(status);
			}
		}

		private static int status(ServerHttpResponse response) {
			HttpStatusCode status = response.getStatusCode();
			return (status != null) ? status.value() : HttpStatus.OK.value();
		}

	}

}
