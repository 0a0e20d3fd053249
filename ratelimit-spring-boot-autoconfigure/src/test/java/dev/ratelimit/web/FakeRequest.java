package dev.ratelimit.web;

import java.security.Principal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.address.ClientAddress;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;

/**
 * A request with the properties that a test sets.
 */
public final class FakeRequest implements GateRequest {

	private final String method;

	private final String path;

	private final String query;

	private final Map<String, List<String>> headers = new TreeMap<>();

	private String address = "192.0.2.1";

	private @Nullable ClientAddress client;

	private Optional<Principal> principal = Optional.empty();

	/** The only thread that knows the principal; empty for all threads. */
	private Optional<Thread> principalThread = Optional.empty();

	private Optional<HandlerKey> handler = Optional.empty();

	private Optional<String> mapped = Optional.empty();

	private Optional<Map<String, String>> form = Optional.empty();

	private boolean formRead;

	private int questions;

	private FakeRequest(String method, String path, String query) {
		this.method = method;
		this.path = path;
		this.query = query;
	}

	public static FakeRequest of(String method, String uri) {
		int mark = uri.indexOf('?');
		return (mark < 0) ? new FakeRequest(method, uri, "")
				: new FakeRequest(method, uri.substring(0, mark), uri.substring(mark + 1));
	}

	public static FakeRequest get(String uri) {
		return of("GET", uri);
	}

	public FakeRequest header(String name, String value) {
		this.headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), (key) -> new ArrayList<>()).add(value);
		return this;
	}

	public FakeRequest from(String address) {
		this.address = address;
		this.client = null;
		return this;
	}

	public FakeRequest by(@Nullable String user) {
		this.principal = Optional.of(() -> user);
		return this;
	}

	/**
	 * Let only this thread know the principal, like a servlet container.
	 * @return this request
	 */
	public FakeRequest onThisThread() {
		this.principalThread = Optional.of(Thread.currentThread());
		return this;
	}

	public FakeRequest servedBy(HandlerKey handler) {
		this.handler = Optional.of(handler);
		return this;
	}

	/** Set the path that a servlet container has mapped. */
	public FakeRequest mapped(String mapped) {
		this.mapped = Optional.of(mapped);
		return this;
	}

	public FakeRequest form(String name, String value) {
		this.form = Optional.of(Map.of(name, value));
		return this;
	}

	public boolean isFormRead() {
		return this.formRead;
	}

	public int questions() {
		return this.questions;
	}

	@Override
	public String method() {
		return this.method;
	}

	@Override
	public String path() {
		return parsedPath().value();
	}

	@Override
	public PathContainer parsedPath() {
		return RequestPaths.withinApplication(this.path, "");
	}

	@Override
	public @Nullable PathContainer normalizedPath() {
		return (this.mapped.isPresent()) ? RequestPaths.normalized(parsedPath(), this.mapped.get())
				: GateRequest.super.normalizedPath();
	}

	@Override
	public String query() {
		return this.query;
	}

	@Override
	public Collection<String> headerNames() {
		return this.headers.keySet();
	}

	@Override
	public List<String> headers(String name) {
		return this.headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
	}

	@Override
	public String remoteAddress() {
		return this.address;
	}

	@Override
	public ClientAddress client() {
		ClientAddress known = this.client;
		if (known == null) {
			known = GateRequest.super.client();
			this.client = known;
		}
		return known;
	}

	@Override
	public boolean carriesForm() {
		return this.form.isPresent();
	}

	@Override
	public CompletableFuture<Form> form() {
		if (this.form.isEmpty()) {
			return Form.NOTHING;
		}
		this.formRead = true;
		Map<String, String> fields = this.form.get();
		return CompletableFuture
			.completedFuture((name) -> Optional.of(Optional.ofNullable(fields.get(name)).stream().toList()));
	}

	@Override
	public Optional<Principal> principal() {
		return this.principal.filter((known) -> this.principalThread.map(Thread.currentThread()::equals).orElse(true));
	}

	@Override
	public CompletableFuture<Optional<HandlerKey>> findHandler() {
		this.questions++;
		return CompletableFuture.completedFuture(this.handler);
	}

}
