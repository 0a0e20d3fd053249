package dev.ratelimit.web.reactive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import dev.ratelimit.gate.ConnectionSlot;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.HeaderField;
import dev.ratelimit.web.response.HeaderVisibility;
import dev.ratelimit.web.response.RateLimitFields;
import dev.ratelimit.web.response.ResponseView;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;

/**
 * The progress of an exchange, which the filters of the limiter share. It is a single
 * attribute, because several attributes would exceed the initial capacity of the
 * attribute map. A request may end on a thread other than the one that evaluates it.
 */
final class ExchangeProgress {

	private static final String ATTRIBUTE = ExchangeProgress.class.getName();

	private volatile RequestProgress current = RequestProgress.START;

	private volatile boolean ended;

	private boolean expected;

	private @Nullable PathContainer seen;

	private @Nullable RateLimitExchange limited;

	private volatile @Nullable ConnectionSlot connection;

	private List<Attempt> attempts = List.of();

	private boolean countedBefore;

	private boolean settling;

	private ExchangeProgress() {
	}

	static ExchangeProgress of(ServerWebExchange exchange) {
		Map<String, Object> attributes = exchange.getAttributes();
		ExchangeProgress progress = (ExchangeProgress) attributes.get(ATTRIBUTE);
		if (progress == null) {
			progress = new ExchangeProgress();
			attributes.put(ATTRIBUTE, progress);
		}
		return progress;
	}

	static @Nullable ExchangeProgress find(ServerWebExchange exchange) {
		return (ExchangeProgress) exchange.getAttributes().get(ATTRIBUTE);
	}

	/**
	 * Return the progress of the exchange.
	 * @return the progress
	 */
	RequestProgress current() {
		return this.current;
	}

	void update(RequestProgress progress) {
		this.current = progress;
	}

	/**
	 * Return the path that a phase has seen.
	 * @return the path; null if no phase has seen the exchange
	 */
	@Nullable PathContainer seen() {
		return this.seen;
	}

	void see(PathContainer path) {
		this.seen = path;
	}

	/**
	 * Write the rate limit fields. They replace those of an earlier phase.
	 * @param fields the fields
	 * @param visibility determines the disclosed fields
	 * @param exchange the exchange
	 * @return the exchange to continue with
	 */
	ServerWebExchange writeHeaders(List<HeaderField> fields, HeaderVisibility visibility, ServerWebExchange exchange) {
		if (this.limited != null) {
			this.limited.setFields(fields);
			return exchange;
		}
		return (fields.isEmpty()) ? exchange : watch(fields, visibility, exchange);
	}

	ServerWebExchange watch(List<HeaderField> fields, HeaderVisibility visibility, ServerWebExchange exchange) {
		RateLimitExchange watched = new RateLimitExchange(exchange, visibility);
		watched.setFields(fields);
		this.limited = watched;
		return watched.writeAtCommit(visibility.dependsOnCaching());
	}

	/**
	 * Remove the fields from the response of an exchange, because the rejection writes
	 * its own fields.
	 * @param exchange the exchange
	 */
	static void clear(ServerWebExchange exchange) {
		ExchangeProgress progress = find(exchange);
		if (progress != null && progress.limited != null) {
			progress.limited.setFields(List.of());
		}
	}

	/**
	 * Return the slots that the connection to which the request is upgraded holds.
	 * @return the slots; null if no connection must hold slots
	 */
	@Nullable ConnectionSlot connection() {
		return this.connection;
	}

	void connect(ConnectionSlot slot) {
		this.connection = slot;
	}

	/**
	 * Return whether a rule has applied to the request, in this attempt or in an earlier
	 * one.
	 * @return whether it is counted already
	 */
	boolean counted() {
		return this.countedBefore || !this.current.untouched();
	}

	/**
	 * Begin an attempt at a filter after which the exchange may fail and be repeated. An
	 * earlier attempt at the same filter ends, with all charges after the filter.
	 * @param filter identifies the filter
	 * @param status the current status of the exchange
	 */
	void attempt(Object filter, int status) {
		List<Attempt> others = new ArrayList<>(this.attempts);
		for (int i = 0; i < others.size(); i++) {
			Attempt earlier = others.get(i);
			if (earlier.filter() == filter) {
				others = others.subList(0, i);
				resume(earlier, status);
				break;
			}
		}
		others.add(new Attempt(filter, this.current, this.expected, this.limited));
		this.attempts = List.copyOf(others);
	}

	private void resume(Attempt earlier, int status) {
		this.countedBefore = counted();
		this.current = this.current.rewindTo(earlier.before(), status);
		if (!earlier.expected()) {
			this.expected = false;
			this.ended = false;
		}
		if (this.limited != null && this.limited != earlier.limited()) {
			this.limited.setFields(List.of());
		}
		this.limited = earlier.limited();
	}

	/**
	 * Expect the end of the exchange.
	 * @return whether this is the first call
	 */
	boolean expect() {
		boolean first = !this.expected;
		this.expected = true;
		return first;
	}

	/**
	 * Begin to wait for the status of the response. Attempts of an exchange have one.
	 * @return whether this is the first call
	 */
	boolean settle() {
		boolean first = !this.settling;
		this.settling = true;
		return first;
	}

	/**
	 * End the exchange.
	 * @return its progress
	 */
	RequestProgress end() {
		this.ended = true;
		return this.current;
	}

	boolean ended() {
		return this.ended;
	}

	/**
	 * The state of an exchange when it entered a filter.
	 *
	 * @param filter identifies the filter
	 * @param before the progress
	 * @param expected whether its end was expected
	 * @param limited its response with fields; null if it had none
	 */
	private record Attempt(Object filter, RequestProgress before, boolean expected,
			@Nullable RateLimitExchange limited) {
	}

	/**
	 * An exchange to whose response rate limit fields are added at its commit.
	 */
	private static final class RateLimitExchange implements ResponseView {

		private final ServerWebExchange exchange;

		private final RateLimitFields quota;

		RateLimitExchange(ServerWebExchange exchange, HeaderVisibility visibility) {
			this.exchange = exchange;
			this.quota = new RateLimitFields(visibility, this);
		}

		/**
		 * Write fields when the response is committed.
		 * @param fields the fields; empty to leave the response unchanged
		 */
		void setFields(List<HeaderField> fields) {
			this.quota.setFields(fields);
		}

		/**
		 * Write the fields when the response is committed.
		 * @param last whether to write after all other actions at the commit
		 * @return the exchange to continue with
		 */
		ServerWebExchange writeAtCommit(boolean last) {
			ServerHttpResponse response = this.exchange.getResponse();
			response.beforeCommit(this::write);
			return (last) ? this.exchange.mutate().response(new LastWord(response, this)).build() : this.exchange;
		}

		private Mono<Void> write() {
			this.quota.write();
			return Mono.empty();
		}

		@Override
		public int status() {
			HttpStatusCode status = this.exchange.getResponse().getStatusCode();
			return (status != null) ? status.value() : HttpStatus.OK.value();
		}

		@Override
		public @Nullable String header(String name) {
			List<String> values = this.exchange.getResponse().getHeaders().get(name);
			return (values == null || values.isEmpty()) ? null : String.join(", ", values);
		}

		@Override
		public void header(String name, @Nullable String value) {
			HttpHeaders headers = this.exchange.getResponse().getHeaders();
			if (value != null) {
				headers.set(name, value);
			}
			else {
				headers.remove(name);
			}
		}

		@Override
		public String requestMethod() {
			return this.exchange.getRequest().getMethod().name();
		}

		@Override
		public boolean authorized() {
			return this.exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION) != null;
		}

		/**
		 * A response that writes its fields again at its commit, after all other actions,
		 * because these actions may make the response private.
		 */
		private static final class LastWord extends ServerHttpResponseDecorator {

			private final RateLimitExchange watched;

			LastWord(ServerHttpResponse response, RateLimitExchange watched) {
				super(response);
				this.watched = watched;
			}

			@Override
			public void beforeCommit(Supplier<? extends Mono<Void>> action) {
				super.beforeCommit(action);
				super.beforeCommit(this.watched::write);
			}

		}

	}

}
