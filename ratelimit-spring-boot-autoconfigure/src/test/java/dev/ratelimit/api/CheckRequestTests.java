package dev.ratelimit.api;

import java.util.Map;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CheckRequestTests {

	// Gson's parser returns all numbers as double.
	@Test
	void aWholeNumberMayBeADouble() {
		assertThat(units(2.0)).hasValue(2);
		assertThat(units(9_007_199_254_740_992.0)).hasValue(1L << 53);
		assertThat(units(2)).hasValue(2);
		assertThat(units(1L << 40)).hasValue(1L << 40);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 2.5, 0, -1, 1e300, Double.NaN, Double.POSITIVE_INFINITY })
	void otherNumbersAreRejected(double number) {
		assertThatExceptionOfType(ApiException.class).isThrownBy(() -> units(number));
	}

	private static OptionalLong units(Object value) {
		return new CheckRequest.JsonBody(Map.of("cost", value)).units("cost");
	}

}
