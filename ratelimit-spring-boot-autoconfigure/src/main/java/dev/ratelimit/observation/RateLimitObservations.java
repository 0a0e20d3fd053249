package dev.ratelimit.observation;

import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.Decision;
import dev.ratelimit.gate.Call;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.RequestProgress;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.transport.ReceiverContext;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: makes a Micrometer observation of each decision of a gate. Its parent is the
 * observation of the call or, if the call has none, the current observation of the
 * thread.
 *
 * @param registry the registry of observations
 * @param convention provides the names and key values of observations
 */
public record RateLimitObservations(ObservationRegistry registry,
		RateLimitObservationConvention convention) implements PassageObserver {

	private static final Log logger = LogFactory.getLog(RateLimitObservations.class);

	private static final RateLimitObservationConvention DEFAULT = new DefaultRateLimitObservationConvention();

	// Exceptions of observation handlers must not prevent the handling of a charge.
	@Override
	public Consumer<Decision> enter(String phase, Call call, RequestProgress progress) {
		try {
			Consumer<Decision> observer = start(phase, call, progress);
			return (decision) -> {
				try {
					observer.accept(decision);
				}
				catch (RuntimeException | Error ex) {
					logger.error("A decision could not be observed", ex);
				}
			};
		}
		catch (RuntimeException | Error ex) {
			logger.error("A decision could not be observed", ex);
			return PassageObserver.NONE.enter(phase, call, progress);
		}
	}

	private Consumer<Decision> start(String phase, Call call, RequestProgress progress) {
		RateLimitObservationContext context = new RateLimitObservationContext(phase);
		Observation observation = RateLimitObservationDocumentation.ACQUIRE.observation(this.convention, DEFAULT,
				() -> context, this.registry);
		if (observation.isNoop()) {
			return PassageObserver.NONE.enter(phase, call, progress);
		}
		if (call.attribute(Call.OBSERVATION) instanceof Observation parent) {
			observation.parentObservation(parent);
		}
		observation.start();
		return (decision) -> {
			context.setDecision(decision);
			observation.stop();
			addToRequest(context, progress.decision().then(decision));
		};
	}

	// Decisions on methods are not added, because one request can call methods many
	// times, and these have separate rules.
	private void addToRequest(RateLimitObservationContext context, Decision progress) {
		if (!context.getPhase().equals(METHOD)) {
			RateLimitObservationContext together = new RateLimitObservationContext(context.getPhase(), progress);
			request(context).ifPresent((request) -> request
				.addHighCardinalityKeyValues(this.convention.getHighCardinalityKeyValues(together)));
		}
	}

	// Other observations, such as those of Spring Security, may be between the
	// observation and that of the request.
	private static Optional<Observation.Context> request(Observation.Context context) {
		ObservationView parent = context.getParentObservation();
		while (parent != null) {
			if (parent.getContextView() instanceof ReceiverContext<?> received) {
				return Optional.of(received);
			}
			parent = parent.getContextView().getParentObservation();
		}
		return Optional.empty();
	}

}
