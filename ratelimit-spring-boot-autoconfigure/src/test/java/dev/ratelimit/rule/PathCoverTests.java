package dev.ratelimit.rule;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class PathCoverTests {

	@ParameterizedTest
	@CsvSource({ "/**, /", "/**, /api/**", "/**, /{*rest}", "/api/**, /api", "/api/**, /api/a", "/api/**, /api/a/**",
			"/api/**, /api/{id}/b", "/api/*, /api/a", "/api/*, /api/{id}", "/api/{id}, /api/*", "/api/a, /api/a",
			"/{a}/b, /{c}/b", "/api/{*rest}, /api/a/b" })
	void generalPatternCovers(String general, String specific) {
		assertThat(PathCover.covers(general, specific)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "/api/**, /apis", "/api/**, /", "/api/**, /**", "/api/*, /api", "/api/*, /api/", "/api/*, /api/a/b",
			"/api/*, /api/**", "/api/*, /api/{*rest}", "/api/a, /api/*", "/api/a, /api/{id}",
			"/api/{id:[0-9]+}, /api/7", "/api/a*, /api/ab", "/a/**/b, /a/x/b", "/api/a, /API/a", "/api/a, /api/a/" })
	void whatIsNotCertainIsNotCovered(String general, String specific) {
		assertThat(PathCover.covers(general, specific)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "/api/**, /api", "/api/*, /api/a", "/{a}/b, /x/b", "/**, /", "/api/{*rest}, /api" })
	void theParserAgrees(String general, String path) {
		assertThat(PathCover.covers(general, path)).isTrue();
		assertThat(PathPatternParser.defaultInstance.parse(general).matches(PathContainer.parsePath(path))).isTrue();
	}

}
