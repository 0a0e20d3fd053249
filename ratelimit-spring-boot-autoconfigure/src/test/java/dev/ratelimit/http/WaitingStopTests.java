package dev.ratelimit.http;

import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests requests that wait while the application stops. The test has a separate class,
 * because the stop of an application also stops the threads of Reactor Netty.
 */
class WaitingStopTests {

	@Test
	void aStopRejectsWhatWaits() {
		ConfigurableApplicationContext application = WaitingTests.start(WebApplicationType.SERVLET);
		HttpProbe http = WaitingTests.http(application);
		http.get("/gone", "X-User", "alice", "X-Key", "a");
		CompletableFuture<Reply> waiting = CompletableFuture
			.supplyAsync(() -> http.get("/gone", "X-User", "alice", "X-Key", "a"), LeaseContract.THREADS);
		Awaitility.await().untilAsserted(() -> assertThat(WaitingTests.waiting(application)).isEqualTo(1));
		application.close();
		assertThat(waiting.join().statusCode()).isEqualTo(503);
		assertThat(waiting.join().header("Retry-After")).isEqualTo("1");
	}

}
