package dev.ratelimit.web.reactive;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.web.Form;
import dev.ratelimit.web.FormStep;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.HandlerKey;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * A WebFlux exchange at the gate.
 */
final class ExchangeGateRequest implements GateRequest {

	private final ServerWebExchange exchange;

	private final ServerHttpRequest request;

	private final ReactiveHandlers handlers;

	private final Optional<Principal> principal;

	private final ClientAddresses addresses;

	private @Nullable ClientAddress client;

	private @Nullable CompletableFuture<Form> form;

	private @Nullable FormStep formStep;

	ExchangeGateRequest(ServerWebExchange exchange, ReactiveHandlers handlers, Optional<Principal> principal,
			ClientAddresses addresses) {
		this.addresses = addresses;
		this.exchange = exchange;
		this.request = exchange.getRequest();
		this.handlers = handlers;
		this.principal = principal;
	}

	@Override
	public String method() {
		return this.request.getMethod().name();
	}

	@Override
	public String path() {
		return parsedPath().value();
	}

	@Override
	public PathContainer parsedPath() {
		return this.request.getPath().pathWithinApplication();
	}

	@Override
	public boolean management() {
		return WebServerApplicationContext.hasServerNamespace(this.exchange.getApplicationContext(), "management");
	}

	@Override
	public String query() {
		String query = this.request.getURI().getRawQuery();
		return (query != null) ? query : "";
	}

	@Override
	public List<String> headers(String name) {
		return this.request.getHeaders().getOrEmpty(name);
	}

	@Override
	public String remoteAddress() {
		return client().address().toString();
	}

	@Override
	public boolean hasAddressOfItsOwn() {
		return address().isKnown() && !this.addresses.isProxy(address());
	}

	@Override
	public ClientAddress client() {
		ClientAddress known = this.client;
		if (known == null) {
			known = ReactiveClients.find(this.request, this.addresses);
			this.client = known;
		}
		return known;
	}

	/**
	 * Let the request meet the rules that require its form, once it has met the others.
	 * @param step the step
	 */
	void meetLater(FormStep step) {
		this.formStep = step;
	}

	/**
	 * What the request is to meet next.
	 * @return the step, once; null if there is none
	 */
	@Nullable FormStep nextStep() {
		FormStep step = this.formStep;
		this.formStep = null;
		return step;
	}

	@Override
	public boolean carriesForm() {
		return ReactiveForms.isForm(this.request);
	}

	@Override
	public CompletableFuture<Form> form() {
		CompletableFuture<Form> known = this.form;
		if (known == null) {
			known = ReactiveForms.read(this.exchange);
			this.form = known;
		}
		return known;
	}

	@Override
	public Optional<Principal> principal() {
		return this.principal;
	}

	@Override
	public @Nullable Object attribute(String name) {
		return this.exchange.getAttribute(name);
	}

	@Override
	public @Nullable Object servedPattern() {
		return this.exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
	}

	@Override
	public CompletableFuture<Optional<HandlerKey>> askHandler() {
		return this.handlers.ask(this.exchange);
	}

	@Override
	public CompletableFuture<Optional<String>> askRoute() {
		return this.handlers.askRoute(this.exchange);
	}

	@Override
	public CompletableFuture<Boolean> askOthers() {
		return this.handlers.askOthers(this.exchange);
	}

}
