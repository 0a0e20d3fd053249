package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.base.Finding;
import dev.ratelimit.load.LevelHeaderCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class LevelHeaderCountsTests {

	private static List<String> findings(String upstream, int believed, int ignored) {
		return findings(upstream, List.of(), believed, ignored);
	}

	private static List<String> findings(String upstream, List<String> local, int believed, int ignored) {
		LevelHeaderCounts counts = new LevelHeaderCounts();
		for (int i = 0; i < believed; i++) {
			counts.count(true);
		}
		for (int i = 0; i < ignored; i++) {
			counts.count(false);
		}
		return new LevelHeaderCheck("X-Criticality", List.of(upstream), local, counts).findings()
			.stream()
			.map(Finding::detail)
			.toList();
	}

	@ParameterizedTest
	@CsvSource({ "0,9,0", "0,10,1", "10,10,0", "10,11,1", "50,0,0" })
	void manyIgnoredHeadersAreTold(int believed, int ignored, int findings) {
		assertThat(findings("10.1.0.0/16", believed, ignored)).hasSize(findings);
	}

	@Test
	void ignoredHeadersAreCompared() {
		assertThat(findings("10.1.0.0/16", 3, 12)).containsExactly("12 requests with the header 'X-Criticality' came"
				+ " from peers that are not trusted, and 3 from others. The level of the former was ignored.");
	}

	@Test
	void aSidecarHasTheAddressOfEverybody() {
		String upstream = "127.0.0.1";
		assertThat(findings(upstream, List.of(upstream), 0, 0)).isEmpty();
		assertThat(findings(upstream, List.of(upstream), 1, 0)).singleElement()
			.asString()
			.contains("sidecar", upstream);
	}

	@ParameterizedTest
	@CsvSource({ "0.0.0.0/0", "::/0" })
	void everybodyIsNoUpstream(String upstream) {
		assertThat(findings(upstream, 5, 0))
			.containsExactly("[" + upstream + "] contains all addresses: any client can call itself critical.");
	}

}
