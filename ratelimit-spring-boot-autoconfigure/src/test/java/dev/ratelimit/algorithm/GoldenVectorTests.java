package dev.ratelimit.algorithm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.test.GoldenVectors;
import dev.ratelimit.test.GoldenVectors.Step;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class GoldenVectorTests {

	static List<GoldenVectors> vectors() {
		return GoldenVectors.all();
	}

	@ParameterizedTest
	@MethodSource("vectors")
	void answersAsTheGoldenVectorsSay(GoldenVectors vectors) {
		LimitCalculator arithmetic = Algorithms.find(vectors.limit().algorithm())
			.orElseThrow()
			.arithmetic(vectors.limit());
		Map<String, Long> takenAt = new HashMap<>();
		long[] state = LimitCalculator.EMPTY;
		for (Step step : vectors.steps()) {
			long cost = (step.releases()) ? 0 : step.cost();
			if (step.releases()) {
				state = arithmetic.settle(state, takenAt.get(step.lease()), -step.cost(), step.atMillis());
			}
			long[] seen = arithmetic.look(state, cost, step.atMillis());
			boolean fits = arithmetic.fits(seen, cost, step.atMillis());
			BucketSnapshot reading = arithmetic.read(seen, cost, fits && cost > 0, step.atMillis());
			assertThat(reading).as(step.toString())
				.isEqualTo(new BucketSnapshot(step.allowed() || step.releases(), step.remaining(),
						step.retryAfterMillis(), step.resetMillis(), step.nextUnitMillis(), step.delayMillis()));
			if (fits && cost > 0) {
				state = arithmetic.take(state, cost, step.atMillis());
				takenAt.put(step.lease(), step.atMillis());
			}
		}
	}

}
