package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExemptionsTests {

	private final Exemptions exemptions = new Exemptions(() -> List.of("/actuator/health", "/livez"));

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/health", "/actuator/health/", "/actuator/health/db", "/livez", "/livez?x=1" })
	void pathAndWhatIsBelowItAreExempt(String uri) {
		assertThat(this.exemptions.covers(FakeRequest.get(uri))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "", "/actuator", "/actuator/healthy", "/livezz", "/livez.json", "/livez;x=1",
			"/LIVEZ", "/app/livez", "//livez", "/x?/livez" })
	void prefixEndsOnlyAtASegment(String uri) {
		assertThat(this.exemptions.covers(FakeRequest.get(uri))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/livez/../orders", "/livez/..;/orders", "/livez/%2e%2e/orders", "/livez/%2f", "/livez/%zz" })
	void whatMayLeadOutAgainIsNotExempt(String uri) {
		assertThat(this.exemptions.covers(FakeRequest.get(uri))).isFalse();
	}

	@Test
	void pathsAreAskedForOnceAndNotBeforeTheFirstRequest() {
		List<String> asked = new ArrayList<>();
		Exemptions lazy = new Exemptions(() -> {
			asked.add("asked");
			return List.of("/livez");
		});
		assertThat(asked).isEmpty();
		lazy.covers(FakeRequest.get("/livez"));
		lazy.covers(FakeRequest.get("/livez"));
		assertThat(asked).hasSize(1);
		assertThat(Exemptions.NONE.covers(FakeRequest.get("/livez"))).isFalse();
	}

}
