package dev.ratelimit.http;

import org.junit.jupiter.api.Test;

import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the servlet contract on virtual threads, and features that only servlets have.
 * Before Java 21, the property has no effect and the tests use platform threads.
 */
@TestPropertySource(properties = { "spring.main.web-application-type=servlet", "spring.threads.virtual.enabled=true" })
class ServletDispatchTests extends HttpContract implements ServletLeaseContract {

	@Test
	void anAsyncRequestIsChargedOnce() {
		assertThat(get("/c/async").header("X-RateLimit-Remaining")).isEqualTo("2");
		assertThat(statuses(3, "/c/async")).containsExactly(200, 200, 429);
	}

	@Test
	void aForwardIsChargedToTheRequestedPathAlone() {
		assertThat(get("/c/forward").body()).isEqualTo("value");
		assertThat(statuses(3, "/c/forward")).containsExactly(200, 200, 429);
		assertThat(get("/c/value").header("X-RateLimit-Remaining")).isEqualTo("2");
	}

	@Test
	void requestsRunOnVirtualThreadsWhereThereAreSuch() {
		assertThat(get("/c/free/thread").body().contains("VirtualThread")).isEqualTo(Runtime.version().feature() >= 21);
	}

}
