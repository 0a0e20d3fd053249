package dev.ratelimit.candidate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of the counts of this instance for the candidate, while there is a candidate.
 *
 * @param candidate compares the rules
 */
record CandidateMetrics(LiveCandidate candidate) implements MeterBinder {

	@Override
	public void bindTo(MeterRegistry registry) {
		List<Meter> present = new ArrayList<>();
		this.candidate.addFollower((compared) -> replace(present, compared, registry));
	}

	private static void replace(List<Meter> present, Optional<ComparedCandidate> next, MeterRegistry registry) {
		synchronized (present) {
			present.forEach(registry::remove);
			present.clear();
			next.ifPresent((compared) -> compared.rules().changed().forEach((rule) -> {
				for (CandidateDifference difference : CandidateDifference.values()) {
					present.add(meter(compared, rule, difference, registry));
				}
			}));
		}
	}

	private static Meter meter(ComparedCandidate compared, String rule, CandidateDifference difference,
			MeterRegistry registry) {
		return FunctionCounter
			.builder("ratelimit.candidate.requests", compared.counts(), (counts) -> counts.count(rule, difference))
			.description("Requests under the rules of a candidate, by how these compare with the active ones")
			.tag("rule", rule)
			.tag("difference", difference.tag())
			.register(registry);
	}

}
