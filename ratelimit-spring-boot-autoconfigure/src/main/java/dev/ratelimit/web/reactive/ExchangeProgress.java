package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.Map;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.HeaderField;
import dev.ratelimit.web.response.HeaderVisibility;
import org.jspecify.annotations.Nullable;

import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;

/**
 * What the filters of the limiter leave each other on an exchange, in one attribute: a
 * few more, and the attributes of an exchange outgrow their first table. A request may
 * end on another thread than the one that it is decided on.
 */
final class ExchangeProgress {

	private static final String ATTRIBUTE = ExchangeProgress.class.getName();

	private volatile RequestProgress reached = RequestProgress.START;

	private volatile boolean ended;

	private boolean expected;

	private @Nullable PathContainer seen;

	private @Nullable RateLimitExchange told;

	private volatile @Nullable ConnectionSlot connection;

	private ExchangeProgress() {
	}

	static ExchangeProgress of(ServerWebExchange exchange) {
		Map<String, Object> attributes = exchange.getAttributes();
		ExchangeProgress known = (ExchangeProgress) attributes.get(ATTRIBUTE);
		if (known == null) {
			known = new ExchangeProgress();
			attributes.put(ATTRIBUTE, known);
		}
		return known;
	}

	static @Nullable ExchangeProgress find(ServerWebExchange exchange) {
		return (ExchangeProgress) exchange.getAttributes().get(ATTRIBUTE);
	}

	/**
	 * How far the exchange has come.
	 * @return the progress
	 */
	RequestProgress reached() {
		return this.reached;
	}

	void reach(RequestProgress progress) {
		this.reached = progress;
	}

	/**
	 * The path that a phase has seen.
	 * @return the path; null if no phase has seen the exchange
	 */
	@Nullable PathContainer seen() {
		return this.seen;
	}

	void see(PathContainer path) {
		this.seen = path;
	}

	/**
	 * Tell where a request stands, in place of what was told before.
	 * @param fields what to tell
	 * @param disclosure decides what is told
	 * @param exchange the exchange
	 * @return the exchange to go on with
	 */
	ServerWebExchange tell(List<HeaderField> fields, HeaderVisibility disclosure, ServerWebExchange exchange) {
		if (this.told != null) {
			this.told.tell(fields);
			return exchange;
		}
		return (fields.isEmpty()) ? exchange : watch(fields, disclosure, exchange);
	}

	ServerWebExchange watch(List<HeaderField> fields, HeaderVisibility disclosure, ServerWebExchange exchange) {
		RateLimitExchange watched = new RateLimitExchange(exchange, disclosure);
		watched.tell(fields);
		this.told = watched;
		return watched.writeAtCommit(disclosure.dependsOnCaching());
	}

	/**
	 * Take back what the response of an exchange tells, which is told in another way.
	 * @param exchange the exchange
	 */
	static void untell(ServerWebExchange exchange) {
		ExchangeProgress known = find(exchange);
		if (known != null && known.told != null) {
			known.told.tell(List.of());
		}
	}

	/**
	 * The slots that the connection holds to which the request is upgraded.
	 * @return the slots; null if no connection is to hold any
	 */
	@Nullable ConnectionSlot connection() {
		return this.connection;
	}

	void connect(ConnectionSlot slot) {
		this.connection = slot;
	}

	/**
	 * Expect the end of the exchange.
	 * @return whether nobody expected it before
	 */
	boolean expect() {
		boolean first = !this.expected;
		this.expected = true;
		return first;
	}

	/**
	 * End the exchange.
	 * @return how far it has come
	 */
	RequestProgress end() {
		this.ended = true;
		return this.reached;
	}

	boolean ended() {
		return this.ended;
	}

}
