package dev.ratelimit.web.graphql;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.ratelimit.RateLimitContext;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.HeaderField;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.graphql.server.WebGraphQlInterceptor;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.http.HttpHeaders;

/**
 * Adds the request to the context of each operation, and the header fields to its
 * response. It runs after interceptors that authenticate.
 *
 * @param calls finds the request
 * @param headers creates header fields
 */
record RateLimitGraphQlInterceptor(OperationCalls calls,
		HeaderFactory headers) implements WebGraphQlInterceptor, Ordered {

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE - 10;
	}

	@Override
	public Mono<WebGraphQlResponse> intercept(WebGraphQlRequest request, Chain chain) {
		return this.calls.find(request).flatMap((call) -> {
			OperationState state = new OperationState(call);
			request.configureExecutionInput(
					(input, builder) -> builder.graphQLContext(Map.of(OperationState.KEY, state)).build());
			return chain.next(request).doOnNext((response) -> write(request, state, response.getResponseHeaders()));
		});
	}

	private void write(WebGraphQlRequest request, OperationState state, HttpHeaders headers) {
		RequestProgress progress = state.progress();
		if (progress == null || progress.untouched()) {
			return;
		}
		Collection<HeaderField> fields = (progress.allowed()) ? this.headers.fields(progress)
				: this.headers.rejection(progress, state.jitterSeconds());
		fields = (isLimitedItself(request)) ? onlyRejection(fields) : fields;
		fields.forEach((field) -> headers.set(field.name(), field.value()));
	}

	// If rules applied to the HTTP request, the response already has their fields.
	private static boolean isLimitedItself(WebGraphQlRequest request) {
		return request.getAttributes().get(RateLimitContext.ATTRIBUTE) instanceof RateLimitContext context
				&& !context.decision().verdicts().isEmpty();
	}

	private static List<HeaderField> onlyRejection(Collection<HeaderField> fields) {
		return fields.stream().filter((field) -> field.name().equalsIgnoreCase(HttpHeaders.RETRY_AFTER)).toList();
	}

}
