package dev.ratelimit.web.graphql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.Reason;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.RateLimitHeaders;
import graphql.ErrorClassification;
import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.schema.DataFetchingEnvironment;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.graphql.execution.DataFetcherExceptionResolver;
import org.springframework.graphql.execution.SubscriptionExceptionResolver;

/**
 * Creates the errors of rejected operations, and of fields whose resolvers call a limited
 * method that rejects the call. Exception resolvers of the application precede.
 *
 * @param headers the factory of header fields, which also provides the addition to waits
 */
record OperationErrors(
		HeaderFactory headers) implements DataFetcherExceptionResolver, SubscriptionExceptionResolver, Ordered {

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Mono<List<GraphQLError>> resolveException(Throwable failure, DataFetchingEnvironment environment) {
		if (!(failure instanceof RateLimitExceededException rejected)) {
			return Mono.empty();
		}
		return Mono.just(List
			.of(error(GraphqlErrorBuilder.newError(environment), rejected.decision(), this.headers.jitterSeconds())));
	}

	// The resolver of a subscription rejects it by an error of its stream.
	@Override
	public Mono<List<GraphQLError>> resolveException(Throwable failure) {
		return (failure instanceof RateLimitExceededException rejected)
				? Mono.just(List.of(of(rejected.decision(), this.headers.jitterSeconds()))) : Mono.empty();
	}

	/**
	 * Return the error of a rejected operation.
	 * @param decision the rejection
	 * @param jitterSeconds the seconds that are added to waits
	 * @return the error
	 */
	static GraphQLError of(Decision decision, long jitterSeconds) {
		return error(GraphqlErrorBuilder.newError(), decision, jitterSeconds);
	}

	/**
	 * Return the error of an operation with too many fields.
	 * @param maxFields the maximum number of fields
	 * @return the error
	 */
	static GraphQLError tooManyFields(int maxFields) {
		return GraphqlErrorBuilder.newError()
			.message("The operation has more than " + maxFields + " fields")
			.errorType(Code.TOO_COMPLEX)
			.extensions(Map.of("code", Code.TOO_COMPLEX.name()))
			.build();
	}

	private static GraphQLError error(GraphqlErrorBuilder<?> builder, Decision decision, long jitterSeconds) {
		Code code = Code.of(decision.reason());
		OptionalLong seconds = RateLimitHeaders.retryAfterSeconds(decision, jitterSeconds);
		Map<String, Object> extensions = new LinkedHashMap<>();
		extensions.put("code", code.name());
		seconds.ifPresent((wait) -> extensions.put("retryAfterSeconds", wait));
		extensions.put("policies",
				RateLimitHeaders.violated(decision).stream().map((verdict) -> verdict.policy().name()).toList());
		return builder.message(code.message + ((seconds.isPresent()) ? "; retry in " + seconds.getAsLong() + " s" : ""))
			.errorType(code)
			.extensions(extensions)
			.build();
	}

	/**
	 * The classification of errors, which clients read.
	 */
	private enum Code implements ErrorClassification {

		/** A limit is exceeded, or the client is rejected for another reason. */
		RATE_LIMITED("The rate limit is exceeded"),

		/** The operation exceeds the limit after any wait. */
		TOO_COMPLEX("The operation costs more than the rate limit ever allows at once"),

		/** The client is not identified. */
		KEY_MISSING("The operation lacks what the rate limit identifies clients by");

		private final String message;

		Code(String message) {
			this.message = message;
		}

		static Code of(Reason reason) {
			return switch (reason) {
				case COST_ABOVE_CAPACITY -> TOO_COMPLEX;
				case KEY_MISSING -> KEY_MISSING;
				default -> RATE_LIMITED;
			};
		}

	}

}
