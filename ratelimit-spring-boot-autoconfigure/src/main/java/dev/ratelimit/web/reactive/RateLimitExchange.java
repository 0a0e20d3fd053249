package dev.ratelimit.web.reactive;

import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.web.response.HeaderField;
import dev.ratelimit.web.response.HeaderVisibility;
import dev.ratelimit.web.response.RateLimitFields;
import dev.ratelimit.web.response.ResponseView;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;

/**
 * An exchange whose response tells of quotas when it is committed.
 */
final class RateLimitExchange implements ResponseView {

	private final ServerWebExchange exchange;

	private final RateLimitFields quota;

	RateLimitExchange(ServerWebExchange exchange, HeaderVisibility disclosure) {
		this.exchange = exchange;
		this.quota = new RateLimitFields(disclosure, this);
	}

	/**
	 * Tell something when the response is committed.
	 * @param fields what to tell, empty to leave the response to others
	 */
	void tell(List<HeaderField> fields) {
		this.quota.tell(fields);
	}

	/**
	 * Write what is told when the response is committed.
	 * @param last whether it is to be written after all that others do then
	 * @return the exchange to go on with
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
		List<String> lines = this.exchange.getResponse().getHeaders().get(name);
		return (lines == null || lines.isEmpty()) ? null : String.join(", ", lines);
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
	 * A response at whose commit the quota is written again after all else that is done
	 * then: others make it private as late as that.
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
