package dev.ratelimit.http;

import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that wait while the application stops. A class of its own, since an
 * application that stops takes the threads of Reactor Netty with it.
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
