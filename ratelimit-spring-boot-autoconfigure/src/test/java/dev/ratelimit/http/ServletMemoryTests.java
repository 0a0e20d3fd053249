package dev.ratelimit.http;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@TestPropertySource(properties = "spring.main.web-application-type=servlet")
class ServletMemoryTests extends HttpContract implements ServletLeaseContract {

	private static final String FORM = "application/x-www-form-urlencoded";

	private static final String MULTIPART = "multipart/form-data; boundary=x";

	@ParameterizedTest
	@CsvSource({ "POST, /charging/sized, n=4, 6", "POST, /charging/sized, n=4&n=1, 0",
			"POST, /charging/sized?n=1, n=4, 0", "POST, /charging/sized, m=4, 9", "POST, /charging/sized, n=+4, 0",
			"PUT, /charging/sized, n=4, 6", "POST, /charging/sized?n=4, m=1, 6" })
	void aParameterOfAFormIsACost(String method, String path, String form, String remaining) {
		assertThat(send(method, path, FORM, form).header("X-RateLimit-Remaining")).isEqualTo(remaining);
	}

	@Test
	void partsThatAreNotReadCostAllThatTheLimitCanHold() {
		String part = "--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--x--\r\n";
		assertThat(send("POST", "/charging/sized?n=4", MULTIPART, part).header("X-RateLimit-Remaining")).isEqualTo("6");
		assertThat(send("POST", "/charging/sized", MULTIPART, part).statusCode()).isEqualTo(429);
	}

	private Reply send(String method, String path, String type, String body) {
		return http().send(method, path, body, new String[] { "X-Key", key(), "Content-Type", type });
	}

}
