package dev.ratelimit.web;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;

class RequestPathsTests {

	@ParameterizedTest
	@CsvSource({ "/a/b, '', /a/b", "/app/a, /app, /a", "/app, /app, ''", "'', '', ''", "/a%20b, '', /a%20b",
			"/a;v=1/b, '', /a;v=1/b" })
	void contextPathIsTakenOff(String path, String contextPath, String rest) {
		assertThat(RequestPaths.withinApplication(path, contextPath).value()).isEqualTo(rest);
	}

	@ParameterizedTest
	@CsvSource({ "/a/%, '', /a/%25", "/a/%zz, '', /a/%25zz", "/app/a/%2, /app, /a/%252",
			"/a/%zz/%41, '', /a/%25zz/%2541" })
	void brokenEncodingIsTakenLiterally(String path, String contextPath, String rest) {
		assertThat(RequestPaths.withinApplication(path, contextPath).value()).isEqualTo(rest);
	}

	@ParameterizedTest
	@CsvSource({ "/a/%", "/a/%zz/b", "/a/%c", "/a/b%2" })
	void brokenEncodingIsNoWayAroundARule(String path) {
		assertThat(PathPatternParser.defaultInstance.parse("/a/**").matches(RequestPaths.withinApplication(path, "")))
			.isTrue();
	}

}
