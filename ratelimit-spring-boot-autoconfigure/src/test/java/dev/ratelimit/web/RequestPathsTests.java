package dev.ratelimit.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.PathContainer;
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

	@ParameterizedTest
	@CsvSource({ "//a/b, /a/b", "/a//b, /a/b", "/a/, /a", "/a//, /a", "/./a, /a", "/a/., /a", "/a/./b, /a/b",
			"/x/../a, /a", "/x/%2e%2E/a, /a", "/x/..;v=1/a, /a", "/../../a, /a", "/a/.., /", "//, /", "/;v=1/a, /a",
			"/a%2fb, /a/b", "/a%5Cb, /a/b", "/a%2f, /a", "/a/%2e/b, /a/b", "/a/b%25/, /a/b%25", "/a%3bv/, /a%3Bv" })
	void nonCanonicalPathIsNormalized(String path, String normalized) {
		assertThat(RequestPaths.normalized(PathContainer.parsePath(path))).isNotNull()
			.extracting(PathContainer::value)
			.isEqualTo(normalized);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/a", "/a/b", "/a.b", "/a/b;v=1", "/a;v=1/b", "/%61/b", "/%C3%BC", "/a/...",
			"/a%3bv", "/50%25", "/a/..b", "/.well-known/x" })
	void canonicalPathIsUnchanged(String path) {
		assertThat(RequestPaths.normalized(PathContainer.parsePath(path))).isNull();
	}

	@Test
	void thePathByWhichTheContainerFoundTheServletCounts() {
		PathContainer sent = PathContainer.parsePath("/../ctx/files/50%25;v=1");
		assertThat(RequestPaths.normalized(sent, "/files/50%")).isNotNull()
			.extracting(PathContainer::value)
			.isEqualTo("/files/50%25");
		assertThat(RequestPaths.normalized(PathContainer.parsePath("/files/50%25;v=1"), "/files/50%")).isNull();
		assertThat(RequestPaths.normalized(PathContainer.parsePath("/files/a"), "/files/a")).isNull();
	}

}
