package dev.ratelimit.web.reactive;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.Principal;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.web.Form;
import dev.ratelimit.web.FormStep;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.ParameterName;
import dev.ratelimit.web.QueryParameter;
import jakarta.servlet.http.HttpServletRequest;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.core.codec.DecodingException;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.ClassUtils;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;

/**
 * Internal: a WebFlux exchange at the gate.
 */
public final class ExchangeGateRequest implements GateRequest {

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

	/**
	 * Return an exchange after the filters.
	 * @param exchange the exchange
	 * @param handlers the handlers of the application
	 * @param principal its principal, if it is authenticated
	 * @param addresses finds the address of its client
	 * @return the exchange in the form that rules evaluate
	 */
	public static GateRequest of(ServerWebExchange exchange, ReactiveHandlers handlers, Optional<Principal> principal,
			ClientAddresses addresses) {
		return new ExchangeGateRequest(exchange, handlers, principal, addresses);
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
	public Collection<String> headerNames() {
		return this.request.getHeaders().headerNames();
	}

	@Override
	public List<String> cookies(String name) {
		List<HttpCookie> cookies = this.request.getCookies().get(name);
		return (cookies != null) ? cookies.stream().map(HttpCookie::getValue).distinct().toList() : List.of();
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
		ClientAddress cached = this.client;
		if (cached == null) {
			cached = ReactiveClients.find(this.request, this.addresses);
			this.client = cached;
		}
		return cached;
	}

	/**
	 * Set the step that evaluates the rules that require the form of the request. It
	 * follows the other rules.
	 * @param step the step
	 */
	void setFormStep(FormStep step) {
		this.formStep = step;
	}

	/**
	 * Return the next step of the request.
	 * @return the step, once; null if there is none
	 */
	@Nullable FormStep nextStep() {
		FormStep step = this.formStep;
		this.formStep = null;
		return step;
	}

	@Override
	public boolean mayHideContent() {
		return ReactiveProtocols.mayHideContent(NativeRequests.of(this.request));
	}

	@Override
	public boolean carriesForm() {
		return ReactiveForms.isForm(this.request);
	}

	@Override
	public boolean mergesForms() {
		return true;
	}

	/**
	 * Return the values of the query and of a form, because binding reads both. It
	 * prefers the value of a form or a part to that of the query.
	 */
	@Override
	public Optional<List<String>> parameters(String name) {
		List<String> query = QueryParameter.all(query(), name);
		if (!carriesForm()) {
			return (ReactiveForms.mayHaveFields(this.request)) ? Optional.empty() : Optional.of(query);
		}
		CompletableFuture<Form> form = form();
		return (form.isCompletedExceptionally()) ? Optional.empty()
				: form.join().values(name).map((fields) -> Stream.concat(query.stream(), fields.stream()).toList());
	}

	@Override
	public CompletableFuture<Form> form() {
		CompletableFuture<Form> cached = this.form;
		if (cached == null) {
			cached = ReactiveForms.read(this.exchange);
			this.form = cached;
		}
		return cached;
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
	public CompletableFuture<Optional<HandlerKey>> findHandler() {
		return this.handlers.findHandler(this.exchange);
	}

	@Override
	public CompletableFuture<Optional<String>> findRoute() {
		return this.handlers.findRoute(this.exchange);
	}

	@Override
	public CompletableFuture<Boolean> hasOtherHandler() {
		return this.handlers.hasOtherHandler(this.exchange);
	}

	/**
	 * Finds the peer of a WebFlux request from the native request of the server, because
	 * filters that read forwarding headers change the address that Spring reports, and
	 * may hide the headers.
	 */
	private static final class ReactiveClients {

		private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");

		private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

		private static final boolean JETTY = isPresent("org.eclipse.jetty.server.Request");

		private ReactiveClients() {
		}

		private static boolean isPresent(String type) {
			return ClassUtils.isPresent(type, ReactiveClients.class.getClassLoader());
		}

		static ClientAddress find(ServerHttpRequest request, ClientAddresses addresses) {
			if (addresses.usesContainer()) {
				InetSocketAddress remote = request.getRemoteAddress();
				return addresses.reported((remote != null) ? host(remote) : "");
			}
			Object received = NativeRequests.of(request);
			if (NETTY && received instanceof HttpServerRequest netty) {
				return Netty.find(netty, addresses);
			}
			return (attribute(received) instanceof ClientAddress address) ? address
					: addresses.find(address(request.getRemoteAddress()), lines(request));
		}

		// Set by the server before all filters, so filters cannot change it.
		private static @Nullable Object attribute(Object received) {
			if (SERVLET && received instanceof HttpServletRequest request) {
				return request.getAttribute(ClientAddress.ATTRIBUTE);
			}
			return (JETTY && received instanceof Request request) ? request.getAttribute(ClientAddress.ATTRIBUTE)
					: null;
		}

		// An unresolved host contains the text of a header.
		private static String host(InetSocketAddress address) {
			return (address.isUnresolved()) ? address.getHostString() : address.getAddress().getHostAddress();
		}

		private static IpAddress address(@Nullable SocketAddress address) {
			return (address instanceof InetSocketAddress inet && inet.getAddress() != null)
					? IpAddress.of(inet.getAddress()) : IpAddress.UNKNOWN;
		}

		private static Function<String, List<String>> lines(ServerHttpRequest request) {
			return (name) -> request.getHeaders().getOrDefault(name, Collections.emptyList());
		}

		/**
		 * The peers of Reactor Netty. Loaded only if Reactor Netty is on the class path.
		 */
		private static final class Netty {

			static ClientAddress find(HttpServerRequest request, ClientAddresses addresses) {
				return addresses.find(address(request.connectionRemoteAddress()),
						(name) -> request.requestHeaders().getAll(name));
			}

		}

	}

	/**
	 * Finds the protocol of a WebFlux request. Reactor Netty announces the content of all
	 * protocols as HTTP/1.1 does.
	 */
	private static final class ReactiveProtocols {

		private ReactiveProtocols() {
		}

		static boolean mayHideContent(Object received) {
			if (ReactiveClients.SERVLET && received instanceof HttpServletRequest request) {
				return isLater(request.getProtocol());
			}
			return ReactiveClients.JETTY && received instanceof Request request
					&& isLater(request.getConnectionMetaData().getProtocol());
		}

		private static boolean isLater(String protocol) {
			return !protocol.startsWith("HTTP/1");
		}

	}

	/**
	 * Reads forms through the exchange, which caches them for later filters and handlers.
	 */
	private static final class ReactiveForms {

		private static final HttpStatusCode TOO_LARGE = HttpStatusCode.valueOf(413);

		private ReactiveForms() {
		}

		static boolean isForm(ServerHttpRequest request) {
			return Form.isForm(request.getMethod().name(), type(request));
		}

		static CompletableFuture<Form> read(ServerWebExchange exchange) {
			ServerHttpRequest request = exchange.getRequest();
			if (!isForm(request)) {
				return (mayHaveFields(request)) ? Form.UNREAD : Form.NOTHING;
			}
			CompletableFuture<Form> form = new CompletableFuture<>();
			exchange.getFormData()
				.subscribe((fields) -> form.complete(form(fields)),
						(failure) -> form.completeExceptionally(rejection(failure)),
						() -> form.complete((name) -> Optional.of(List.of())));
			return form;
		}

		// Invalid content is an error of the client, not of the server.
		private static Throwable rejection(Throwable failure) {
			if (failure instanceof DataBufferLimitException) {
				return new ResponseStatusException(TOO_LARGE, "The form is too large", failure);
			}
			return (failure instanceof IllegalArgumentException || failure instanceof DecodingException)
					? new ServerWebInputException("The form cannot be read", null, failure) : failure;
		}

		static boolean mayHaveFields(ServerHttpRequest request) {
			return Form.mayHaveFields(type(request));
		}

		private static @Nullable String type(ServerHttpRequest request) {
			return request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
		}

		private static Form form(MultiValueMap<String, String> fields) {
			return (name) -> Optional.of(new ParameterName(name).of(fields, Function.identity())
				.stream()
				.map(ReactiveForms::value)
				.toList());
		}

		// The value is null if a field has only a name.
		private static String value(@Nullable String value) {
			return (value != null) ? value : "";
		}

	}

}
