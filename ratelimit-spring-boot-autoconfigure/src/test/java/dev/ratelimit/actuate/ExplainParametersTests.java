package dev.ratelimit.actuate;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.web.ExplainRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ExplainParametersTests {

	@Test
	void missingParametersHaveDefaults() {
		ExplainRequest explainRequest = new RateLimitEndpoint.ExplainParameters(null, "/a?b=c", null, null, null, null)
			.explainRequest();
		assertThat(explainRequest).isEqualTo(
				new ExplainRequest("GET", "/a?b=c", Collections.emptyMap(), "", Optional.empty(), Optional.empty()));
	}

	@Test
	void everythingMayBeSaid() {
		ExplainRequest explainRequest = new RateLimitEndpoint.ExplainParameters("post", "/a", "alice", "2001:db8::1",
				List.of("X-A: 1", "x-a:2"), "paid")
			.explainRequest();
		assertThat(explainRequest.method()).isEqualTo("POST");
		assertThat(explainRequest.user()).contains("alice");
		assertThat(explainRequest.plan()).contains("paid");
		assertThat(explainRequest.address()).isEqualTo("2001:db8::1");
		assertThat(explainRequest.headers()).containsOnlyKeys("X-A").containsValue(List.of("1", "2"));
	}

	@Test
	void headerThatWasSplitAtItsCommasIsWholeAgain() {
		assertThat(headers("X-Forwarded-For:203.0.113.7", "10.0.0.1", "10.0.0.2"))
			.containsExactly("203.0.113.7, 10.0.0.1, 10.0.0.2");
	}

	@ParameterizedTest
	@CsvSource({ "G T, /a, 1.1.1.1", "'', /a, 1.1.1.1", "GET, a, 1.1.1.1", "GET, , 1.1.1.1", "GET, '', 1.1.1.1",
			"GET, /a, not an address", "GET, /a, <script>", "GET, /a, localhost", "GET, /a, 999.1.1.1", "GET, /a, ''" })
	void invalidParameterIsRejectedWithExample(@Nullable String method, @Nullable String path, @Nullable String ip) {
		assertThatIllegalArgumentException()
			.isThrownBy(
					() -> new RateLimitEndpoint.ExplainParameters(method, path, null, ip, null, null).explainRequest())
			.withMessageMatching("(method|path|ip): .*such as .*");
	}

	@ParameterizedTest
	@ValueSource(strings = { "nocolon", ":value", "na me:value", "X:a\r\nY: b" })
	void invalidHeaderIsRejected(String line) {
		assertThatIllegalArgumentException().isThrownBy(() -> headers(line)).withMessageStartingWith("header: ");
	}

	@Test
	void everythingIsBounded() {
		String longest = "x".repeat(2049);
		assertThatIllegalArgumentException().isThrownBy(() -> headers("X:" + longest));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> headers(Collections.nCopies(33, "X:1").toArray(String[]::new)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RateLimitEndpoint.ExplainParameters(null, "/" + longest, null, null, null, null)
				.explainRequest());
		assertThatIllegalArgumentException().isThrownBy(
				() -> new RateLimitEndpoint.ExplainParameters(null, "/", longest, null, null, null).explainRequest());
	}

	private static List<String> headers(String... lines) {
		return new RateLimitEndpoint.ExplainParameters(null, "/", null, null, List.of(lines), null).explainRequest()
			.headers()
			.values()
			.iterator()
			.next();
	}

}
