package dev.ratelimit.http;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the responses to rejected requests, on both stacks.
 */
@SpringBootTest(classes = RejectionApplication.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "spring.config.name=refusal")
abstract class RejectionContract implements CorsContract, BrowserContract {

	private static final String BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

	@LocalServerPort
	private int port;

	/** A key that no other client uses. */
	private String key = "";

	@BeforeEach
	void begin() {
		this.key = UUID.randomUUID().toString();
	}

	@Override
	public HttpProbe http() {
		return new HttpProbe(this.port);
	}

	@Override
	public String url(String path) {
		return "http://localhost:" + this.port + path(path);
	}

	@Override
	public String path(String path) {
		return path + "?who=" + this.key;
	}

	@Override
	public Reply rejected(String path, String... headers) {
		assertThat(http().get(path(path)).statusCode()).isEqualTo(200);
		return http().get(path(path), headers);
	}

	@ParameterizedTest
	@ValueSource(ints = { 400, 403, 418, 503, 509, 599 })
	void statusIsThatOfTheRule(int status) {
		Reply reply = rejected("/status/" + status);
		assertThat(reply.statusCode()).isEqualTo(status);
		assertThat(reply.body()).contains("\"status\":" + status + ",");
		assertThat(reply.header("Retry-After")).matches("\\d{5}");
	}

	@Test
	void browsersGetAPage() {
		Reply reply = rejected("/words", "Accept", BROWSER);
		assertThat(reply.statusCode()).isEqualTo(429);
		assertThat(reply.header("Content-Type")).isEqualTo("text/html;charset=UTF-8");
		assertThat(reply.body()).startsWith("<!DOCTYPE html>")
			.contains("<h1>Quota Exceeded</h1>", "Rate limit exceeded. Retry in");
		assertThat(reply.header("Retry-After")).matches("\\d{5}");
		assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
	}

	@ParameterizedTest
	@ValueSource(strings = { "*/*", "application/json", "text/html, application/json", "nonsense" })
	void othersGetAProblem(String accept) {
		assertThat(rejected("/words", "Accept", accept).header("Content-Type")).isEqualTo("application/problem+json");
	}

	@Test
	void headHasTheHeadersOfAProblemAndNoBody() {
		Reply problem = rejected("/words");
		Reply head = http().send("HEAD", path("/words"));
		assertThat(head.statusCode()).isEqualTo(429);
		assertThat(head.body()).isEmpty();
		assertThat(head.header("Content-Type")).isEqualTo("application/problem+json");
		assertThat(head.header("Content-Length")).isEqualTo(problem.header("Content-Length"));
		assertThat(head.header("Retry-After")).isNotEmpty();
	}

	@Test
	void wordsAreThoseOfTheApplicationInTheLanguageOfTheRequest() {
		Reply german = rejected("/words", "Accept-Language", "de-AT,de;q=0.9,en;q=0.8");
		assertThat(german.body()).contains("\"title\":\"Zu viele Anfragen\"")
			.containsPattern("\"detail\":\"Bitte \\d{5} Sekunden warten.\"");
		Reply page = http().get(path("/words"), "Accept-Language", "de", "Accept", BROWSER);
		assertThat(page.body()).contains("<h1>Zu viele Anfragen</h1>");
		assertThat(http().get(path("/words"), "Accept-Language", "fr").body()).contains("\"title\":\"Quota Exceeded\"");
		assertThat(http().get(path("/words"), "Accept-Language", "-,;q=").statusCode()).isEqualTo(429);
	}

	@Test
	void handlerOfTheApplicationHasTheLastWord() {
		Reply own = rejected("/own/text");
		assertThat(own.statusCode()).isEqualTo(420);
		assertThat(own.header("X-Own")).startsWith("who=");
		assertThat(own.header("Content-Type")).isEqualToIgnoringCase("text/plain;charset=UTF-8");
		assertThat(own.body()).isEqualTo(asSent("später"));
		assertThat(own.header("Content-Length")).isEqualTo("7");
		assertThat(own.header("Retry-After")).isNotEmpty();
		assertThat(own.header("RateLimit")).isNotEmpty();
		assertThat(http().send("HEAD", path("/own/text")).body()).isEmpty();
	}

	@Test
	void handlerMaySayNothing() {
		Reply reply = rejected("/own/nothing", "Accept", BROWSER);
		assertThat(reply.statusCode()).isEqualTo(429);
		assertThat(reply.header("Content-Length")).isEqualTo("0");
		assertThat(reply.body()).isEmpty();
	}

	@Test
	void failingHandlerAllowsNoRequest() {
		Reply reply = rejected("/own/fails");
		assertThat(reply.statusCode()).isEqualTo(429);
		assertThat(reply.body()).contains("#quota-exceeded");
		assertThat(reply.header("Retry-After")).isNotEmpty();
		assertThat(http().statuses(3, "GET", path("/own/fails"))).containsOnly(429);
	}

	// The probe reads replies as single bytes.
	private static String asSent(String text) {
		return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
	}

}
