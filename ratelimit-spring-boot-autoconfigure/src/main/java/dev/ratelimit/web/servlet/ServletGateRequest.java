package dev.ratelimit.web.servlet;

import java.security.Principal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.ratelimit.address.ClientAddress;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.engine.WaitingPlaces;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.Form;
import dev.ratelimit.web.FormStep;
import dev.ratelimit.web.GateRequest;
import dev.ratelimit.web.HandlerKey;
import dev.ratelimit.web.Lookup;
import dev.ratelimit.web.RequestPaths;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Internal: a servlet request at the gate.
 */
public final class ServletGateRequest implements GateRequest {

	private final HttpServletRequest request;

	private final ServletHandlers handlers;

	private final String uri;

	private final String contextPath;

	private final String mapped;

	private final PathContainer path;

	private final ClientAddresses addresses;

	private @Nullable ClientAddress client;

	private ServletForms.@Nullable Content content;

	/** The threads that wait; null if the request is only inspected and cannot wait. */
	private final @Nullable ServletThreads threads;

	private @Nullable FormStep formStep;

	private @Nullable FormStep lastStep;

	private boolean selectedByFields;

	private final boolean forwarded;

	private boolean handedOver;

	ServletGateRequest(HttpServletRequest request, ServletHandlers handlers, RequestProgress progress,
			ClientAddresses addresses) {
		this(request, handlers, progress, addresses, null);
	}

	ServletGateRequest(HttpServletRequest request, ServletHandlers handlers, RequestProgress progress,
			ClientAddresses addresses, @Nullable ServletThreads threads) {
		this.threads = threads;
		this.addresses = addresses;
		this.request = request;
		this.forwarded = request.getDispatcherType() == DispatcherType.FORWARD;
		this.handlers = handlers;
		this.uri = request.getRequestURI();
		this.contextPath = request.getContextPath();
		this.mapped = mapped(request);
		this.path = Lookup.path(progress, this.uri, this.contextPath);
	}

	/**
	 * Return a request after the filters.
	 * @param request the request
	 * @param handlers the handlers of the application
	 * @param addresses finds the address of its client
	 * @return the request in the form that rules evaluate
	 */
	public static GateRequest of(HttpServletRequest request, ServletHandlers handlers, ClientAddresses addresses) {
		return new ServletGateRequest(request, handlers, RequestProgress.START, addresses);
	}

	// Jetty throws an exception for paths that it considers ambiguous.
	private static String mapped(HttpServletRequest request) {
		try {
			String pathInfo = request.getPathInfo();
			return (pathInfo != null) ? request.getServletPath() + pathInfo : request.getServletPath();
		}
		catch (IllegalArgumentException ex) {
			return "";
		}
	}

	/**
	 * Return whether a later request has the same path as this one.
	 * @param later the request, after other filters
	 * @return whether its path is the same
	 */
	boolean hasPathOf(HttpServletRequest later) {
		return this.uri.equals(later.getRequestURI()) && this.contextPath.equals(later.getContextPath())
				&& this.mapped.equals(mapped(later));
	}

	// Ignores the context path, which forwarding headers may change.
	boolean hasPathOf(ServletGateRequest later) {
		return this.path.value().equals(later.path.value()) && this.mapped.equals(later.mapped);
	}

	@Override
	public Optional<WaitingPlaces> waitingPlaces() {
		return (this.threads != null) ? this.threads.waiting().places() : Optional.empty();
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
	 * Set the step that evaluates the rules of the handler that a field of the form
	 * selects. It follows all other rules.
	 * @param step the step
	 */
	void setLastStep(FormStep step) {
		this.lastStep = step;
	}

	/**
	 * Return the next step of the request.
	 * @return the step, once; null if there is none
	 */
	@Nullable FormStep nextStep() {
		FormStep step = this.formStep;
		this.formStep = null;
		if (step == null) {
			step = this.lastStep;
			this.lastStep = null;
		}
		return step;
	}

	/**
	 * Return the request for the filters and handlers after this one.
	 * @return the request, with the form if it was read
	 */
	HttpServletRequest forHandler() {
		ServletForms.Content cached = this.content;
		return (cached != null) ? cached.forHandler() : this.request;
	}

	// Whether the request was forwarded before the first phase.
	boolean isForwarded() {
		return this.forwarded;
	}

	boolean isHandedOver() {
		return this.handedOver;
	}

	// Called before the handler, whose forwards are not evaluated.
	void handOver() {
		this.handedOver = true;
	}

	@Override
	public String method() {
		return this.request.getMethod();
	}

	@Override
	public String path() {
		return this.path.value();
	}

	@Override
	public PathContainer parsedPath() {
		return this.path;
	}

	@Override
	public @Nullable PathContainer normalizedPath() {
		return (this.mapped.isEmpty()) ? RequestPaths.normalized(this.path)
				: RequestPaths.normalized(this.path, this.mapped);
	}

	@Override
	public String query() {
		String query = this.request.getQueryString();
		return (query != null) ? query : "";
	}

	@Override
	public List<String> headers(String name) {
		return Collections.list(this.request.getHeaders(name));
	}

	@Override
	public Collection<String> headerNames() {
		return Collections.list(this.request.getHeaderNames());
	}

	@Override
	public Optional<String> header(String name) {
		return Optional.ofNullable(this.request.getHeader(name));
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
			cached = ServletClients.find(this.request, this.addresses);
			this.client = cached;
		}
		return cached;
	}

	@Override
	public boolean mayHideContent() {
		return !this.request.getProtocol().startsWith("HTTP/1");
	}

	@Override
	public boolean carriesForm() {
		return ServletForms.isForm(this.request);
	}

	@Override
	public CompletableFuture<Form> form() {
		ServletForms.Content cached = this.content;
		if (cached != null) {
			return cached.form();
		}
		ServletThreads own = this.threads;
		if (own == null) {
			return (carriesForm()) ? Form.UNREAD : Form.NOTHING;
		}
		try {
			ServletForms.Content read = own.forms().read(this.request, client().key(), waitingPlaces().isPresent());
			this.content = read;
			return read.form();
		}
		catch (UnreadableFormException ex) {
			CompletableFuture<Form> failed = CompletableFuture.failedFuture(ex);
			this.content = new ServletForms.Content(failed, this.request);
			return failed;
		}
	}

	@Override
	public boolean mergesForms() {
		return true;
	}

	@Override
	public List<String> cookies(String name) {
		Cookie[] cookies = this.request.getCookies();
		return Stream.ofNullable(cookies)
			.flatMap(Arrays::stream)
			.filter((cookie) -> cookie.getName().equals(name))
			.map(Cookie::getValue)
			.distinct()
			.toList();
	}

	@Override
	public Optional<List<String>> parameters(String name) {
		if (!carriesForm()) {
			return ServletForms.parameters(this.request, query(), name);
		}
		CompletableFuture<Form> form = form();
		return (form.isCompletedExceptionally()) ? Optional.empty() : form.join().values(name);
	}

	@Override
	public Optional<Principal> principal() {
		return Optional.ofNullable(this.request.getUserPrincipal());
	}

	@Override
	public @Nullable Object servedPattern() {
		return this.request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
	}

	@Override
	public boolean isSelectedByFields() {
		return this.selectedByFields;
	}

	@Override
	public CompletableFuture<Optional<HandlerKey>> findHandler() {
		return lookUp(ServletHandlers::findHandler);
	}

	@Override
	public CompletableFuture<Optional<String>> findRoute() {
		return lookUp(ServletHandlers::findRoute);
	}

	@Override
	public CompletableFuture<Boolean> hasOtherHandler() {
		return lookUp(ServletHandlers::hasOtherHandler);
	}

	// Until the form is read here, the lookup must not make the server read it.
	private <T> CompletableFuture<T> lookUp(BiFunction<ServletHandlers, IsolatedRequest, T> lookup) {
		boolean formUnread = this.content == null && this.threads != null
				&& Form.mayHaveFields(this.request.getContentType());
		IsolatedRequest isolated = new IsolatedRequest(forHandler(), !formUnread);
		T found = lookup.apply(this.handlers, isolated);
		this.selectedByFields |= isolated.isIncomplete();
		return CompletableFuture.completedFuture(found);
	}

	/**
	 * Finds the peer of a servlet request below all wrappers, because filters that read
	 * forwarding headers change the address and hide the headers.
	 */
	static final class ServletClients {

		private ServletClients() {
		}

		static ClientAddress find(HttpServletRequest request, ClientAddresses addresses) {
			if (addresses.usesContainer()) {
				return addresses.reported(text(request.getRemoteAddr()));
			}
			// Set by the server before all filters, so filters cannot change it.
			if (request.getAttribute(ClientAddress.ATTRIBUTE) instanceof ClientAddress address) {
				return address;
			}
			HttpServletRequest received = received(request);
			return addresses.find(IpAddress.parse(text(received.getRemoteAddr())),
					(name) -> Collections.list(received.getHeaders(name)));
		}

		private static HttpServletRequest received(HttpServletRequest request) {
			ServletRequest innermost = request;
			while (innermost instanceof ServletRequestWrapper wrapper) {
				innermost = wrapper.getRequest();
			}
			return (innermost instanceof HttpServletRequest received) ? received : request;
		}

		private static String text(@Nullable String address) {
			return (address != null) ? address : "";
		}

	}

}
