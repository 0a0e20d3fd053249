package dev.ratelimit.observation;

import java.util.Optional;

import dev.ratelimit.Decision;
import dev.ratelimit.gate.Call;
import dev.ratelimit.gate.ObservedPassage;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.gate.PassageObservers;
import dev.ratelimit.gate.RequestProgress;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.transport.ReceiverContext;

/**
 * Internal: observes gates by Micrometer's observations.
 *
 * @param registry where observations are made
 * @param convention names them and their key values
 */
public record RateLimitObservations(ObservationRegistry registry,
		RateLimitObservationConvention convention) implements PassageObservers {

	@Override
	public PassageObserver of(String phase) {
		return new DecisionObserver(this.registry, this.convention, phase);
	}

	/**
	 * Makes an observation of each decision of one phase. Its parent is what the call
	 * names or, if it names nothing, what the thread is in.
	 *
	 * @param registry where observations are made
	 * @param convention names them and their key values
	 * @param phase the phase
	 */
	private record DecisionObserver(ObservationRegistry registry, RateLimitObservationConvention convention,
			String phase) implements PassageObserver {

		private static final RateLimitObservationConvention DEFAULT = new DefaultRateLimitObservationConvention();

		@Override
		public ObservedPassage enter(Call call, RequestProgress progress) {
			RateLimitObservationContext context = new RateLimitObservationContext(this.phase);
			Observation observation = RateLimitObservationDocumentation.ACQUIRE.observation(this.convention, DEFAULT,
					() -> context, this.registry);
			if (observation.isNoop()) {
				return ObservedPassage.NONE;
			}
			if (call.attribute(Call.OBSERVATION) instanceof Observation parent) {
				observation.parentObservation(parent);
			}
			observation.start();
			return (decision) -> {
				context.setDecision(decision);
				observation.stop();
				addRequestKeyValues(context, progress.decision().then(decision));
			};
		}

		// A method may be called many times in one request, by rules of its own.
		private void addRequestKeyValues(RateLimitObservationContext context, Decision progress) {
			if (!this.phase.equals(PassageObservers.METHOD)) {
				RateLimitObservationContext together = new RateLimitObservationContext(this.phase, progress);
				request(context).ifPresent((request) -> request
					.addHighCardinalityKeyValues(this.convention.getHighCardinalityKeyValues(together)));
			}
		}

		// Others, such as Spring Security, may stand in between.
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

}
