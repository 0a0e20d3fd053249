package dev.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.web.ManagementPaths.Patterns;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class ManagementPathsTests {

	private final ManagementPaths exemptions = of(List.of("/actuator", "/actuator/health", "/actuator/health/**",
			"/actuator/loggers/{name}", "/livez", "/{any}/probe"), "/actuator/health", "/actuator/health/**", "/livez");

	static ManagementPaths of(List<String> all, String... health) {
		return new ManagementPaths(() -> new Patterns(patterns(all.stream()), patterns(Stream.of(health))));
	}

	private static List<PathPattern> patterns(Stream<String> texts) {
		return texts.map(PathPatternParser.defaultInstance::parse).toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator", "/actuator/health", "/actuator/health/", "/actuator/health/db",
			"/actuator/health/%64b", "/actuator/loggers/a", "/livez", "/livez?x=1", "/x/probe" })
	void managementPathsAreExempt(String uri) {
		assertThat(this.exemptions.covers(FakeRequest.get(uri))).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/", "", "/actuator/", "/actuator/healthy", "/actuator/loggers", "/actuator/loggers/a/b",
			"/actuator/other", "/livezz", "/livez.json", "/livez/x", "/LIVEZ", "/app/livez", "//livez", "/x?/livez" })
	void siblingPathsAreNotExempt(String uri) {
		assertThat(this.exemptions.covers(FakeRequest.get(uri))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/actuator/health/../../orders", "/actuator/health/..;/..;/orders",
			"/actuator/health/%2e%2e/%2E%2E/orders", "/actuator/health/..%2f..%2forders",
			"/actuator/health/..%5c..%5corders" })
	void pathsWithDotSegmentsAreNotExempt(String uri) {
		assertThat(this.exemptions.covers(FakeRequest.get(uri))).isFalse();
		assertThat(this.exemptions.coversHealth(FakeRequest.get(uri))).isFalse();
	}

	@Test
	void healthIsToldFromOthers() {
		assertThat(Stream.of("/actuator/health", "/actuator/health/db", "/livez").map(FakeRequest::get))
			.allMatch(this.exemptions::coversHealth);
		assertThat(Stream.of("/actuator", "/actuator/loggers/a", "/actuator/healthy", "/x/probe").map(FakeRequest::get))
			.noneMatch(this.exemptions::coversHealth);
	}

	@Test
	void patternsAreAskedForOnceAndNotBeforeTheFirstRequest() {
		List<String> asked = new ArrayList<>();
		ManagementPaths lazy = new ManagementPaths(() -> {
			asked.add("asked");
			return new Patterns(patterns(Stream.of("/livez")), List.of());
		});
		assertThat(asked).isEmpty();
		lazy.covers(FakeRequest.get("/livez"));
		lazy.covers(FakeRequest.get("/livez"));
		assertThat(asked).hasSize(1);
		assertThat(ManagementPaths.NONE.covers(FakeRequest.get("/livez"))).isFalse();
	}

}
