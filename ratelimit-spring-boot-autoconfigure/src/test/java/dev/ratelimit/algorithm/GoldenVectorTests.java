package dev.ratelimit.algorithm;

import java.util.List;

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
		Arithmetic arithmetic = Algorithms.find(vectors.limit().algorithm()).orElseThrow().arithmetic(vectors.limit());
		long[] state = Arithmetic.EMPTY;
		for (Step step : vectors.steps()) {
			long[] seen = arithmetic.look(state, step.cost(), step.atMillis());
			boolean fits = arithmetic.fits(seen, step.cost(), step.atMillis());
			Reading reading = arithmetic.read(seen, step.cost(), fits, step.atMillis());
			assertThat(reading).as(step.toString())
				.isEqualTo(new Reading(step.allowed(), step.remaining(), step.retryAfterMillis(), step.resetMillis(),
						step.nextUnitMillis(), step.delayMillis()));
			state = (fits && step.cost() > 0) ? arithmetic.take(state, step.cost(), step.atMillis()) : state;
		}
	}

}
