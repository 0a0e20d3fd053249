package dev.ratelimit.actuate;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.telemetry.TopSubjects;
import org.jspecify.annotations.Nullable;

/**
 * Internal: {@code top}, the subjects that are rejected most often.
 *
 * @param subjects finds them
 */
public record LiveTopResource(TopSubjects subjects) implements LiveResource {

	@Override
	public String name() {
		return "top";
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		try {
			@Nullable Integer minutes = request.value("minutes")
				.map((text) -> Math.toIntExact(LiveRequest.number("minutes", text)))
				.orElse(null);
			return Optional.of(TopDescription.of(this.subjects, request.value("rule").orElse(null), minutes,
					request.value("subject").orElse(null)));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RuleSourceException("the store did not respond", ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new RuleSourceException("the store did not respond", ex);
		}
		catch (ArithmeticException ex) {
			throw new IllegalArgumentException("'minutes' is too large", ex);
		}
	}

}
