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
		LimitCalculator limit = Algorithms.find(vectors.limit().algorithm()).orElseThrow().calculator(vectors.limit());
		long[] state = LimitCalculator.EMPTY;
		for (Step step : vectors.steps()) {
			LimitCalculator calculator = limit.heldBy(step.holder());
			state = calculator.cut(corrected(calculator, state, step), step.atMillis());
			long[] seen = calculator.look(state, step.asked(), step.atMillis());
			boolean takes = step.asked() > 0 && calculator.fits(seen, step.asked(), step.atMillis());
			BucketSnapshot reading = calculator.read(seen, step.asked(), takes, step.atMillis());
			assertThat(reading).as(step.toString())
				.isEqualTo(new BucketSnapshot(step.allowed(), step.remaining(), step.retryAfterMillis(),
						step.resetMillis(), step.nextUnitMillis(), step.delayMillis()));
			if (takes) {
				state = calculator.take(state, step.asked(), step.atMillis());
			}
		}
	}

	private static long[] corrected(LimitCalculator calculator, long[] state, Step step) {
		return switch (step.op()) {
			case ACQUIRE -> state;
			case RELEASE -> calculator.settle(state, step.atMillis(), -step.cost(), step.atMillis());
			case RENEW -> calculator.hold(state, step.cost(), step.atMillis());
		};
	}

}
