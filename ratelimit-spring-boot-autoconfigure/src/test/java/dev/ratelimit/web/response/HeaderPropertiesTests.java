package dev.ratelimit.web.response;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.rule.InvalidRuleException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

class HeaderPropertiesTests {

	@Test
	void withoutPropertiesItIsWhatEverybodyReads() {
		assertThat(bind(Map.of()).settings()).isEqualTo(HeaderSettings.DEFAULT);
		assertThat(bind(Map.of()).retryAfterJitter()).isEqualTo(Duration.ZERO);
	}

	@ParameterizedTest
	@CsvSource({ "draft, RateLimit-Policy RateLimit",
			"legacy, X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset",
			"both, RateLimit-Policy RateLimit X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset",
			"draft-7, RateLimit-Policy RateLimit",
			"draft-6, RateLimit-Policy RateLimit-Limit RateLimit-Remaining RateLimit-Reset", "none," })
	void eachFormatHasItsNames(String format, String names) {
		assertThat(HeaderFormat.of(bind(Map.of("format", format)).settings()).names())
			.containsExactly((names != null) ? names.split(" ") : new String[0]);
	}

	@Test
	void everythingBinds() {
		HeaderProperties properties = bind(Map.of("on-success", "when-private", "retry-after-jitter", "3s", "reset",
				"delta", "bucket", "true", "partition-keys", "true", "compat-params", "true", "names.limit", "X-Quota",
				"names.bucket", "X-Rule"));
		HeaderSettings settings = properties.settings();
		assertThat(settings.onSuccess()).isEqualTo(HeaderSettings.OnSuccess.WHEN_PRIVATE);
		assertThat(settings.reset()).isEqualTo(HeaderSettings.Reset.DELTA);
		assertThat(settings.compatParams()).isTrue();
		assertThat(HeaderFormat.of(settings).names()).endsWith("X-Quota", "X-RateLimit-Remaining", "X-RateLimit-Reset",
				"X-Rule");
		assertThat(properties.partitionKeys()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "draft, bucket, true", "draft-6, bucket, true", "none, reset, delta", "draft-7, reset, delta",
			"legacy, partition-keys, true", "draft-6, compat-params, true", "legacy, names.rate-limit, Left",
			"draft, names.limit, Most", "none, names.reset, Again", "both, names.bucket, Whose" })
	void optionThatTheFormatDoesNotHaveIsRejected(String format, String option, String value) {
		InvalidRuleException failure = failure(Map.of("format", format, option, value));
		assertThat(failure.location()).isEqualTo("ratelimit.headers." + option);
		assertThat(failure.value()).isEqualTo(value);
		assertThat(failure.action()).contains("ratelimit.headers.format");
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1s", "1500ms", "61m" })
	void jitterIsWholeSecondsAndNotBelowZero(String jitter) {
		assertThat(failure(Map.of("retry-after-jitter", jitter)).reason()).contains("between 0 and 1 h");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a b", "Ümlaut", "a:b", "X-Limit\r\nSet-Cookie", "(comment)" })
	void nameIsAToken(String name) {
		assertThat(failure(Map.of("names.policy", name)).reason()).contains("it is not a header name");
		assertThat(failure(Map.of("names.policy", "x".repeat(65))).reason()).contains("it is not a header name");
		assertThat(HeaderFormat.of(bind(Map.of("names.policy", "x".repeat(64))).settings()).names())
			.contains("x".repeat(64));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Retry-After", "set-cookie", "Content-Length", "CACHE-CONTROL" })
	void nameIsNotThatOfAnotherField(String name) {
		assertThat(failure(Map.of("names.remaining", name)).reason()).contains("another meaning");
	}

	@Test
	void noTwoFieldsHaveOneName() {
		assertThat(failure(Map.of("names.limit", "ratelimit-policy")).reason()).contains("the same name");
	}

	private static InvalidRuleException failure(Map<String, String> properties) {
		Throwable failure = catchThrowable(() -> bind(properties).settings());
		while (failure.getCause() != null) {
			failure = failure.getCause();
		}
		assertThat(failure).isInstanceOf(InvalidRuleException.class);
		return (InvalidRuleException) failure;
	}

	private static HeaderProperties bind(Map<String, String> properties) {
		Map<String, String> prefixed = new LinkedHashMap<>();
		properties.forEach((name, value) -> prefixed.put("ratelimit.headers." + name, value));
		return new Binder(new MapConfigurationPropertySource(prefixed)).bindOrCreate("ratelimit.headers",
				HeaderProperties.class);
	}

}
