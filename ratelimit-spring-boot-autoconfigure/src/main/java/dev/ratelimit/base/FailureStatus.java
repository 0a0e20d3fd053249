package dev.ratelimit.base;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * Internal: the status of the response if the request of a user failed. Immutable.
 *
 * @param failure the type of the failure, including subtypes
 * @param status the status of the response
 * @param message describes the problem and its solution
 * @param <T> the type of the failure
 */
public record FailureStatus<T extends RuntimeException>(Class<T> failure, int status, Function<T, String> message) {

	private static final List<FailureStatus<?>> ALL = List.of(new FailureStatus<>(EditForbiddenException.class, 403),
			new FailureStatus<>(EditConflictException.class, 409), new FailureStatus<>(UnavailableException.class, 503),
			new FailureStatus<>(InvalidRuleException.class, 400,
					(failure) -> failure.getMessage() + ". " + failure.action()),
			new FailureStatus<>(IllegalArgumentException.class, 400));

	/**
	 * Create a status whose response contains the message of the failure.
	 * @param failure the type of the failure, including subtypes
	 * @param status the status of the response
	 */
	public FailureStatus(Class<T> failure, int status) {
		this(failure, status, (thrown) -> String.valueOf(thrown.getMessage()));
	}

	/**
	 * Return the status of a failure: that of the first entry that matches it.
	 * @param thrown the failure
	 * @param more entries of capabilities, which take precedence over the common entries
	 * @return the status; empty if the user did not cause the failure
	 */
	public static Optional<FailureStatus<?>> of(RuntimeException thrown, List<FailureStatus<?>> more) {
		return Stream.of(more, ALL)
			.<FailureStatus<?>>flatMap(List::stream)
			.filter((status) -> status.failure.isInstance(thrown))
			.findFirst();
	}

	/**
	 * Describe a failure of this type.
	 * @param thrown the failure
	 * @return the problem and its solution
	 */
	public String describe(RuntimeException thrown) {
		return this.message.apply(this.failure.cast(thrown));
	}

}
