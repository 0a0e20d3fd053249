package dev.ratelimit.http;

import java.util.Map;

import dev.ratelimit.test.browser.BrowserTest;
import dev.ratelimit.test.browser.TestBrowser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the parts of rejections that a script in a page of another origin can read, in a
 * real browser.
 */
interface BrowserContract {

	String url(String path);

	@BrowserTest
	@ParameterizedTest
	@ValueSource(strings = { "annotated", "late", "global", "source", "chain", "filter", "first" })
	default void scriptsOfAnotherOriginReadTheRejectionAndItsHeaders(String where, TestBrowser browser) {
		String url = url("/cors/" + where);
		assertThat(browser.fetch(url, Map.of())).containsEntry("status", "200");
		Map<String, String> rejected = browser.fetch(url, Map.of());
		assertThat(rejected).containsEntry("status", "429")
			.containsEntry("x-ratelimit-remaining", "0")
			.containsEntry("content-type", "application/problem+json");
		assertThat(rejected.get("retry-after")).matches("\\d{5}");
		assertThat(rejected.get("ratelimit")).matches("\"cors(-late)?\";r=0;t=" + rejected.get("retry-after"));
		assertThat(rejected.get("body")).contains("\"title\":\"Quota Exceeded\"");
	}

	@Test
	@BrowserTest
	default void scriptsWithCredentialsReadThemToo(TestBrowser browser) {
		Map<String, Object> options = Map.of("credentials", "include", "headers", Map.of("X-Own", "asks first"));
		assertThat(browser.fetch(url("/cors/credentials"), options)).containsEntry("status", "200");
		assertThat(browser.fetch(url("/cors/credentials"), options)).containsEntry("status", "429")
			.containsEntry("x-ratelimit-remaining", "0")
			.containsKey("retry-after");
	}

	@Test
	@BrowserTest
	default void scriptsOfOriginsThatAreNotAllowedReadNothing(TestBrowser browser) {
		assertThat(browser.fetch(url("/cors/none"), Map.of())).containsOnlyKeys("error");
		assertThat(browser.fetch(url("/cors/none"), Map.of())).containsOnlyKeys("error");
	}

	@Test
	@BrowserTest
	default void peopleReadAPage(TestBrowser browser) {
		String url = url("/words");
		assertThat(browser.open(url)).contains("ok");
		assertThat(browser.open(url)).startsWith("Quota Exceeded\nRate limit exceeded. Retry in ");
	}

}
