package dev.ratelimit.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.http.server.PathContainer;

import static org.assertj.core.api.Assertions.assertThat;

class NormalizedPathTests {

	@ParameterizedTest
	@CsvSource({ "//a/b, /a/b", "/a//b, /a/b", "/a/, /a", "/a//, /a", "/./a, /a", "/a/., /a", "/a/./b, /a/b",
			"/x/../a, /a", "/x/%2e%2E/a, /a", "/x/..;v=1/a, /a", "/../../a, /a", "/a/.., /", "//, /", "/;v=1/a, /a",
			"/a%2fb, /a/b", "/a%5Cb, /a/b", "/a%2f, /a", "/a/%2e/b, /a/b", "/a/b%25/, /a/b%25", "/a%3bv/, /a%3Bv" })
	void nonCanonicalPathIsNormalized(String path, String normalized) {
		assertThat(NormalizedPath.of(PathContainer.parsePath(path))).isNotNull()
			.extracting(PathContainer::value)
			.isEqualTo(normalized);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "/", "/a", "/a/b", "/a.b", "/a/b;v=1", "/a;v=1/b", "/%61/b", "/%C3%BC", "/a/...",
			"/a%3bv", "/50%25", "/a/..b", "/.well-known/x" })
	void canonicalPathIsUnchanged(String path) {
		assertThat(NormalizedPath.of(PathContainer.parsePath(path))).isNull();
	}

	@Test
	void thePathByWhichTheContainerFoundTheServletCounts() {
		PathContainer sent = PathContainer.parsePath("/../ctx/files/50%25;v=1");
		assertThat(NormalizedPath.of(sent, "/files/50%")).isNotNull()
			.extracting(PathContainer::value)
			.isEqualTo("/files/50%25");
		assertThat(NormalizedPath.of(PathContainer.parsePath("/files/50%25;v=1"), "/files/50%")).isNull();
		assertThat(NormalizedPath.of(PathContainer.parsePath("/files/a"), "/files/a")).isNull();
	}

}
