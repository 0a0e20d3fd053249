package dev.ratelimit.http;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.ReactorLimits;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.RateLimitEngine;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests delayed requests on real servers with other filters and interceptors.
 */
@Tag("long")
@Tag("nightly")
@ExtendWith(OutputCaptureExtension.class)
class WaitingTests {

	private static ConfigurableApplicationContext servlet;

	private static ConfigurableApplicationContext reactive;

	@BeforeAll
	static void start() {
		servlet = start(WebApplicationType.SERVLET);
		reactive = start(WebApplicationType.REACTIVE,
				"--spring.autoconfigure.exclude=" + SentStatusApplication.LEFT_OUT);
	}

	@AfterAll
	static void stop() {
		servlet.close();
		reactive.close();
	}

	@Test
	void aRequestThatWaitsIsServedLikeOthers(CapturedOutput output) {
		same("GET", "/slow", "slow for alice");
		same("GET", "/slow/async", "async");
		same("GET", "/slow/sse", "data:one\n\n");
		assertThat(ErrorLog.lines(output)).isEmpty();
	}

	@Test
	void aWaitDoesNotPassSecurityBy(CapturedOutput output) {
		int before = handlers().served().size();
		HttpProbe http = http(servlet);
		assertThat(http.statuses(3, "GET", "/slow")).containsOnly(403);
		assertThat(http.statuses(3, "POST", "/slow/form?name=a", "X-User", "alice")).containsOnly(403);
		assertThat(handlers().served()).hasSize(before);
		assertThat(ErrorLog.lines(output)).isEmpty();
	}

	@Test
	void multipartsAreReadAfterAWait() {
		String body = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n12345\r\n--x--\r\n";
		for (int i = 0; i < 2; i++) {
			Reply reply = http(servlet).send("POST", "/slow/upload", body,
					new String[] { "X-User", "alice", "Content-Type", "multipart/form-data; boundary=x" });
			assertThat(reply.body()).isEqualTo("a.txt 5");
		}
	}

	@Test
	void nothingIsServedBeforeItsTurn() {
		served(servlet, handlers().served());
	}

	@Test
	void nothingIsServedBeforeItsTurnOnWebFlux() {
		List<Integer> statuses = together(10, http(reactive), "/slow");
		assertThat(statuses).containsOnly(200);
	}

	@Test
	void platformThreadsThatWaitAreBounded() {
		List<Integer> statuses = together(8, http(servlet), "/crowd");
		assertThat(statuses).filteredOn((status) -> status == 503).hasSize(4);
		assertThat(statuses).filteredOn((status) -> status == 200).hasSize(4);
		Awaitility.await().untilAsserted(() -> assertThat(waiting(servlet)).isZero());
	}

	@Test
	void aWaitBeforeAuthenticationEndsInAuthentication() {
		HttpProbe http = http(servlet);
		assertThat(http.statuses(3, "GET", "/early")).containsOnly(403);
		assertThat(http.get("/early", "X-User", "alice").statusCode()).isEqualTo(200);
	}

	@Test
	void aClientThatGoesAwayLeavesItsPlace() throws IOException {
		HttpProbe http = http(reactive);
		http.get("/gone", "X-Key", "a");
		try (Socket socket = http.open("/gone", "X-Key", "a")) {
			Awaitility.await().untilAsserted(() -> assertThat(waiting(reactive)).isEqualTo(1));
			assertThat(socket.isConnected()).isTrue();
		}
		Awaitility.await().untilAsserted(() -> assertThat(waiting(reactive)).isZero());
	}

	@Test
	void theWaitIsToldIfAskedFor() {
		HttpProbe http = http(servlet);
		// On a busy machine, a request may arrive so late that it does not have to wait.
		Reply reply = Awaitility.await()
			.until(() -> http.get("/slow", "X-User", "alice"), (each) -> !each.header("Server-Timing").isEmpty());
		assertThat(reply.header("Server-Timing")).startsWith("rl;dur=");
		assertThat(reply.header("RateLimit")).contains("\"slow\"");
		assertThat(servlet.getBean(MeterRegistry.class)
			.get("ratelimit.queue.wait")
			.tags("rule", "slow", "outcome", "allowed")
			.timer()
			.count()).isPositive();
		assertThat(servlet.getBean(MeterRegistry.class).get("ratelimit.queue.waiting").gauge().value())
			.isGreaterThanOrEqualTo(0);
	}

	@Test
	void methodsOfBeansWait() {
		WaitingApplication.Job job = servlet.getBean(WaitingApplication.Job.class);
		long begin = System.nanoTime();
		job.run();
		assertThat(job.run() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(45));
		begin = System.nanoTime();
		job.drip();
		assertThat(job.drip() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(40));
	}

	@Test
	void aSubscriptionThatWouldBeHeldForLongerThanItsMaximumWaitIsRejected() {
		WaitingApplication.Job job = servlet.getBean(WaitingApplication.Job.class);
		RateLimiter limiter = servlet.getBean(RateLimiter.class);
		assertThat(job.later().block()).isPositive();
		assertThatExceptionOfType(RateLimitExceededException.class)
			.isThrownBy(() -> job.later().block(Duration.ofSeconds(30)))
			.withMessageContaining("hourly-drip");
		assertThat(limiter.peek("hourly-drip", "global").blockOptional().orElseThrow().verdicts())
			.extracting(Verdict::remaining)
			.containsExactly(2L);
	}

	@Test
	void codeWaits() {
		RateLimiter limiter = servlet.getBean(RateLimiter.class);
		String subject = UUID.randomUUID().toString();
		Duration wait = Duration.ofSeconds(2);
		long begin = System.nanoTime();
		assertThat(limiter.acquireBlocking("code", subject, 1, wait).allowed()).isTrue();
		assertThat(limiter.acquireBlocking("code", subject, 1, wait).allowed()).isTrue();
		assertThat(limiter.acquire("code", subject, 1, wait).map(Decision::allowed).block()).isTrue();
		assertThat(Flux.range(0, 3)
			.transformDeferred(ReactorLimits.each(limiter, "code", subject, wait))
			.collectList()
			.block()).containsExactly(0, 1, 2);
		assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(240));
	}

	@Test
	void codeThatIsInterruptedIsChargedForNothing() throws InterruptedException {
		RateLimiter limiter = servlet.getBean(RateLimiter.class);
		String subject = UUID.randomUUID().toString();
		limiter.acquireBlocking("hour", subject, 9);
		CompletableFuture<Throwable> failure = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				limiter.acquireBlocking("hour", subject, 2, Duration.ofHours(1));
			}
			catch (IllegalStateException ex) {
				failure.complete(ex);
			}
		});
		thread.start();
		Awaitility.await().untilAsserted(() -> assertThat(waiting(servlet)).isEqualTo(1));
		thread.interrupt();
		thread.join();
		assertThat(failure.join()).hasMessageContaining("Interrupted");
		assertThat(waiting(servlet)).isZero();
		assertThat(limiter.acquireBlocking("hour", subject, 2, Duration.ZERO).allowed()).isFalse();
		assertThat(limiter.peek("hour", subject).blockOptional().orElseThrow().verdicts().get(0).remaining())
			.isEqualTo(1);
	}

	private static void same(String method, String path, String body) {
		for (int i = 0; i < 3; i++) {
			String id = UUID.randomUUID().toString();
			Reply reply = http(servlet).send(method, path, "X-User", "alice", "X-Id", id);
			assertThat(reply.statusCode()).as(path).isEqualTo(200);
			assertThat(reply.body()).isEqualTo(body);
			assertThat(servlet.getBean(WaitingApplication.Passes.class).byRequest()).containsEntry(id, 1);
		}
	}

	private static void served(ConfigurableApplicationContext application, List<Long> served) {
		int before = served.size();
		long begin = System.nanoTime();
		// The bucket may still be exhausted by the previous test. The maximum number of
		// waiting requests then allows all of them to wait.
		assertThat(together(3, http(application), "/slow")).containsOnly(200);
		List<Long> times = served.subList(before, served.size());
		assertThat(times).hasSize(3);
		long last = times.stream().mapToLong(Long::longValue).max().orElseThrow();
		assertThat(last - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(2 * 50 - 5));
	}

	private static List<Integer> together(int count, HttpProbe http, String path) {
		List<CompletableFuture<Integer>> sent = IntStream.range(0, count)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> http.get(path, "X-User", "user" + i).statusCode(),
					LeaseContract.THREADS))
			.toList();
		return sent.stream().map(CompletableFuture::join).toList();
	}

	private static WaitingApplication.Servlets.Handlers handlers() {
		return servlet.getBean(WaitingApplication.Servlets.Handlers.class);
	}

	static int waiting(ConfigurableApplicationContext application) {
		return application.getBean(RateLimitEngine.class).queues().waiting();
	}

	static HttpProbe http(ConfigurableApplicationContext application) {
		return new HttpProbe(application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
	}

	static ConfigurableApplicationContext start(WebApplicationType type, String... more) {
		return new SpringApplicationBuilder(WaitingApplication.class).web(type)
			.run(Stream.concat(Stream.of(more),
					Stream.of("--server.port=0", "--ratelimit.store=memory", "--ratelimit.servlet.max-waiting=3",
							"--ratelimit.headers.server-timing=true", "--ratelimit.rules.slow.paths=/slow/**",
							"--ratelimit.rules.slow.key=global", "--ratelimit.rules.slow.limit=20/s",
							"--ratelimit.rules.slow.burst=1", "--ratelimit.rules.slow.wait.max=3s",
							"--ratelimit.rules.slow.wait.queue=50", "--ratelimit.rules.slow.wait.fair-by=caller",
							"--ratelimit.rules.crowd.paths=/crowd", "--ratelimit.rules.crowd.key=global",
							"--ratelimit.rules.crowd.limit=1/s", "--ratelimit.rules.crowd.burst=1",
							"--ratelimit.rules.crowd.wait=5s", "--ratelimit.rules.early.paths=/early",
							"--ratelimit.rules.early.key=ip", "--ratelimit.rules.early.limit=20/s",
							"--ratelimit.rules.early.burst=1", "--ratelimit.rules.early.wait=2s",
							"--ratelimit.rules.early.phase=early", "--ratelimit.rules.gone.paths=/gone",
							"--ratelimit.rules.gone.key=header:X-Key", "--ratelimit.rules.gone.limit=6/min",
							"--ratelimit.rules.gone.burst=1", "--ratelimit.rules.gone.wait=20s",
							"--ratelimit.rules.code.programmatic=true", "--ratelimit.rules.code.key=global",
							"--ratelimit.rules.code.limit=20/s", "--ratelimit.rules.code.burst=1",
							"--ratelimit.rules.hour.programmatic=true", "--ratelimit.rules.hour.key=global",
							"--ratelimit.rules.hour.limit=10/h"))
				.toArray(String[]::new));
	}

}
