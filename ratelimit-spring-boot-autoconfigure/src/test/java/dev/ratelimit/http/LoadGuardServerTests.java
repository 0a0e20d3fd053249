package dev.ratelimit.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.ratelimit.Criticality;
import dev.ratelimit.Criticality.Level;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.load.LevelHeaderCheck;
import dev.ratelimit.load.LevelStatus;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.web.response.Tarpits;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the load guard on real servers, with two seats and one place to wait.
 */
class LoadGuardServerTests {

	private static final String RULE = "charged";

	private static final int TARRED = 5;

	private String key = "";

	private HttpProbe http = new HttpProbe(0);

	@ParameterizedTest
	@EnumSource
	void guards(SentStatusApplication.Server server) throws Exception {
		boolean servlet = server != SentStatusApplication.Server.NETTY;
		try (ConfigurableApplicationContext application = start(server)) {
			this.http = new HttpProbe(
					application.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
			shedsWhatFindsNoSeatAndUndoesWhatWasCharged(application);
			limitsComeBeforeSeats(application);
			Stream<String> asynchronous = Stream.of("/leases/future", "/leases/mono");
			Stream<String> servlets = Stream.of("/leases/blocking", "/leases/callable", "/leases/deferred");
			for (String path : Stream.concat(asynchronous, (servlet) ? servlets : Stream.of()).toList()) {
				freesTheSeatOfWhatEnds(application, path);
			}
			freesTheSeatOfWhatFails(application, servlet);
			freesTheSeatOfWhoGoesAway(application);
			streamsKeepNoSeat(application, servlet);
			noClientGivesUpItsSeatByAHeader(application);
			freesTheSeatOfAStreamThatFails(application);
			longPollsKeepNoSeat(application);
			delayedRejectionsKeepNeitherSeatNorThread(application);
			linesKeepNoSeat(application);
			knowsLevels(application);
			findsHeadersOfOthers(application);
			explainsLevels();
			countsMeters(application);
		}
	}

	private void shedsWhatFindsNoSeatAndUndoesWhatWasCharged(ConfigurableApplicationContext application) {
		List<CompletableFuture<Reply>> replies = occupy(application, "/leases/future", 2);
		assertThat(get("/actuator/ratelimit/explain?path=/plain&ip=203.0.113.9").body())
			.contains("\"level\":\"normal\",\"wouldShed\":");
		// The first request waits for a seat until the timeout.
		Reply shed = get("/leases/future");
		assertShed(shed);
		awaitRemaining(application, 998);
		// While one request waits, new requests are shed before they are charged.
		soon().until(() -> {
			List<CompletableFuture<Reply>> flood = start("/leases/future", 5);
			assertThat(flood).allSatisfy((reply) -> assertShed(reply.join()));
			return status(application).shed() > 0;
		});
		awaitRemaining(application, 998);
		finish(application, replies);
		assertThat(get("/plain").statusCode()).isEqualTo(200);
	}

	private static void assertShed(Reply reply) {
		assertThat(reply.statusCode()).isEqualTo(503);
		assertThat(reply.body()).contains("temporary-reduced-capacity").doesNotContain("\"*\"");
		assertThat(Long.parseLong(reply.header("Retry-After"))).isBetween(1L, 5L);
		assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
	}

	private void limitsComeBeforeSeats(ConfigurableApplicationContext application) {
		assertThat(get("/once").statusCode()).isEqualTo(200);
		long allowed = status(application).allowed();
		assertThat(get("/once").statusCode()).isEqualTo(429);
		assertThat(status(application).allowed()).isEqualTo(allowed);
	}

	private void freesTheSeatOfWhatEnds(ConfigurableApplicationContext application, String path) {
		List<CompletableFuture<Reply>> replies = occupy(application, path, 2);
		CompletableFuture<Reply> waits = start("/plain", 1).get(0);
		soon().untilAsserted(() -> assertThat(status(application).queued() == 1 || waits.isDone()).isTrue());
		finish(application, replies);
		assertThat(waits.join().statusCode()).as(path).isIn(200, 503);
	}

	private void freesTheSeatOfWhatFails(ConfigurableApplicationContext application, boolean servlet) {
		for (String path : List.of("/leases/at-once/thrown", "/leases/at-once/failed", "/missing", "/secured/x")) {
			for (int i = 0; i < 4; i++) {
				assertThat(get(path).statusCode()).as(path).isIn(401, 404, 500);
			}
			awaitFree(application);
		}
		if (servlet) {
			assertThat(get("/leases/late/deferred").statusCode()).isEqualTo(503);
			assertThat(get("/leases/late/callable").statusCode()).isEqualTo(503);
			awaitFree(application);
			handlers(application).finish(this.key);
		}
	}

	private void freesTheSeatOfWhoGoesAway(ConfigurableApplicationContext application) throws IOException {
		this.key = UUID.randomUUID().toString();
		try (Socket socket = this.http.open("/leases/mono", "X-Key", this.key)) {
			soon().untilAsserted(() -> assertThat(handlers(application).underWay(this.key)).hasSize(1));
			assertThat(status(application).inFlight()).isOne();
			assertThat(socket.isConnected()).isTrue();
		}
		handlers(application).finish(this.key);
		awaitFree(application);
	}

	private void streamsKeepNoSeat(ConfigurableApplicationContext application, boolean servlet) throws IOException {
		this.key = UUID.randomUUID().toString();
		List<Socket> streams = new ArrayList<>();
		List<String> paths = (servlet) ? List.of("/events", "/messages", "/emitted", "/emitted-later")
				: List.of("/events", "/messages", "/events");
		for (String path : paths) {
			Socket socket = this.http.open(path, "X-Key", this.key);
			streams.add(socket);
			assertThat(socket.getInputStream().read()).isEqualTo('H');
			awaitFree(application);
		}
		for (Socket socket : streams) {
			socket.close();
		}
	}

	// The request fields of a client do not make its request a stream.
	private void noClientGivesUpItsSeatByAHeader(ConfigurableApplicationContext application) throws IOException {
		this.key = UUID.randomUUID().toString();
		for (String[] fields : List.of(new String[] { "Accept", "text/event-stream" },
				new String[] { "Accept", "application/x-ndjson", "Upgrade", "websocket", "Connection", "Upgrade" })) {
			List<Socket> sockets = new ArrayList<>();
			for (int i = 0; i < 2; i++) {
				Socket socket = this.http.open("/numbers", join(fields));
				sockets.add(socket);
				assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
					.isEqualTo("HTTP/1.1 200");
			}
			assertThat(status(application).inFlight()).as(fields[1]).isEqualTo(2);
			assertShed(get("/plain"));
			handlers(application).finish(this.key);
			awaitFree(application);
			for (Socket socket : sockets) {
				socket.close();
			}
		}
	}

	private String[] join(String[] fields) {
		return Stream.concat(Stream.of("X-Key", this.key), Stream.of(fields)).toArray(String[]::new);
	}

	private void freesTheSeatOfAStreamThatFails(ConfigurableApplicationContext application) throws IOException {
		this.key = UUID.randomUUID().toString();
		for (int i = 0; i < 20; i++) {
			try (Socket socket = this.http.open("/broken", join(new String[] { "Accept", "application/x-ndjson" }))) {
				assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
					.isEqualTo("HTTP/1.1 200");
				awaitFree(application);
			}
		}
	}

	private void longPollsKeepNoSeat(ConfigurableApplicationContext application) {
		List<CompletableFuture<Reply>> replies = start("/poll", 4);
		soon().untilAsserted(() -> assertThat(handlers(application).underWay(this.key)).hasSize(4));
		awaitFree(application);
		handlers(application).finish(this.key);
		assertThat(replies).allSatisfy((reply) -> assertThat(reply.join().statusCode()).isEqualTo(200));
	}

	private void delayedRejectionsKeepNeitherSeatNorThread(ConfigurableApplicationContext application) {
		this.key = UUID.randomUUID().toString();
		assertThat(get("/tarred").statusCode()).isEqualTo(404);
		List<CompletableFuture<Reply>> replies = new ArrayList<>();
		for (int i = 0; i <= TARRED; i++) {
			long allowed = status(application).allowed();
			replies.add(get((i == 0) ? "HEAD" : "GET", "/tarred"));
			soon().untilAsserted(() -> assertThat(status(application).allowed()).isGreaterThan(allowed));
			awaitFree(application);
		}
		assertThat(replies.get(TARRED).join().statusCode()).as("one is too many").isEqualTo(429);
		assertThat(replies.subList(0, TARRED)).noneMatch(CompletableFuture::isDone);
		// A thread may be about to leave the code of the library.
		soon().untilAsserted(() -> assertThat(Thread.getAllStackTraces().values()).as("threads in our code")
			.noneMatch((stack) -> Arrays.stream(stack)
				.anyMatch((frame) -> frame.getClassName().matches("dev.ratelimit.web.(servlet|reactive).*"))));
		assertThat(get("/plain").statusCode()).isEqualTo(200);
		Tarpits tarpits = application.getBean(Tarpits.class);
		tarpits.close();
		assertThat(replies).allSatisfy((reply) -> assertTarred(reply.join()));
		assertThat(replies.subList(1, replies.size()))
			.allSatisfy((reply) -> assertThat(reply.join().body()).contains("\"violated-policies\":[\"tarred\"]"));
		tarpits.open();
	}

	private static void assertTarred(Reply reply) {
		assertThat(reply.statusCode()).isEqualTo(429);
		assertThat(Long.parseLong(reply.header("Retry-After"))).isPositive();
		assertThat(reply.header("Content-Type")).startsWith("application/problem+json");
		assertThat(reply.header("X-Content-Type-Options")).as("of Spring Security").isEqualTo("nosniff");
	}

	private CompletableFuture<Reply> get(String method, String path) {
		return CompletableFuture.supplyAsync(() -> this.http.send(method, path, "X-Key", this.key),
				LeaseContract.THREADS);
	}

	// More requests wait than there are seats, and each takes a seat when its turn comes.
	private void linesKeepNoSeat(ConfigurableApplicationContext application) {
		List<CompletableFuture<Reply>> replies = new ArrayList<>(occupy(application, "/lined", 1));
		for (int i = 1; i <= 3; i++) {
			int waiting = i;
			replies.add(CompletableFuture.supplyAsync(() -> get("/lined"), LeaseContract.THREADS));
			soon().until(() -> application.getBean(RateLimitEngine.class).queues().waiting() == waiting);
		}
		soon().until(() -> status(application).inFlight() == 1);
		assertThat(get("/plain").statusCode()).isEqualTo(200);
		long allowed = status(application).allowed();
		soon().until(() -> {
			handlers(application).finish(this.key);
			return replies.stream().allMatch(CompletableFuture::isDone);
		});
		assertThat(replies).allSatisfy((reply) -> assertThat(reply.join().statusCode()).isEqualTo(200));
		assertThat(status(application).allowed()).isEqualTo(allowed + 3);
		awaitFree(application);
	}

	private void knowsLevels(ConfigurableApplicationContext application) {
		LoadGuard guard = application.getBean(LoadGuard.class);
		assertThat(get("/important").statusCode()).isEqualTo(200);
		assertThat(guard.status(Level.CRITICAL).allowed()).isOne();
		assertThat(get("/low/x").statusCode()).isEqualTo(404);
		assertThat(guard.status(Level.LOW).allowed()).isOne();
		assertThat(this.http.get("/plain", "X-Key", this.key, "X-Criticality", "high").statusCode()).isEqualTo(200);
		assertThat(guard.status(Level.HIGH).allowed()).isOne();
		assertThat(this.http.get("/plain", "X-Key", this.key, "X-Criticality", "none").statusCode()).isEqualTo(200);
		assertThat(guard.status(Level.HIGH).allowed()).isOne();
	}

	private void findsHeadersOfOthers(ConfigurableApplicationContext application) {
		LevelHeaderCheck check = application.getBean(LevelHeaderCheck.class);
		assertThat(check.counts().believed()).isEqualTo(2);
		assertThat(check.counts().ignored()).isZero();
		assertThat(check.findings()).singleElement()
			.satisfies((finding) -> assertThat(finding.detail()).contains("[127.0.0.0/8, ::1]", "X-Criticality"));
	}

	private void explainsLevels() {
		String[] paths = { "/important", "/low/x", "/plain" };
		String[] levels = { "critical", "low", "normal" };
		for (int i = 0; i < paths.length; i++) {
			assertThat(get("/actuator/ratelimit/explain?path=" + paths[i]).body())
				.contains("\"level\":\"" + levels[i] + "\",\"wouldShed\":false,\"rules\"");
		}
	}

	private void countsMeters(ConfigurableApplicationContext application) {
		MeterRegistry meters = application.getBean(MeterRegistry.class);
		assertThat(meters.get("ratelimit.load.limit").gauge().value()).isEqualTo(2);
		assertThat(meters.get("ratelimit.load.requests")
			.tags("level", "normal", "outcome", "shed_late")
			.functionCounter()
			.count()).isPositive();
		awaitFree(application);
		assertThat(meters.get("ratelimit.load.inflight").tag("level", "normal").gauge().value()).isZero();
		assertThat(meters.get("ratelimit.load.queued").tag("level", "normal").gauge().value()).isZero();
		assertThat(meters.get("ratelimit.decisions").tags("rule", "*", "outcome", "shed").functionCounter().count())
			.isPositive();
	}

	private List<CompletableFuture<Reply>> occupy(ConfigurableApplicationContext application, String path, int count) {
		List<CompletableFuture<Reply>> replies = start(path, count);
		soon().untilAsserted(() -> assertThat(handlers(application).underWay(this.key)).hasSize(count));
		assertThat(status(application).inFlight()).isEqualTo(count);
		return replies;
	}

	private void finish(ConfigurableApplicationContext application, List<CompletableFuture<Reply>> replies) {
		handlers(application).finish(this.key);
		assertThat(replies).allSatisfy((reply) -> assertThat(reply.join().statusCode()).isEqualTo(200));
		awaitFree(application);
	}

	private List<CompletableFuture<Reply>> start(String path, int count) {
		List<CompletableFuture<Reply>> replies = new ArrayList<>();
		if (!path.equals("/plain") && !flooding(count)) {
			this.key = UUID.randomUUID().toString();
		}
		for (int i = 0; i < count; i++) {
			replies.add(CompletableFuture.supplyAsync(() -> get(path), LeaseContract.THREADS));
		}
		return replies;
	}

	// The requests of a flood are from the same client as the requests that hold the
	// seats.
	private static boolean flooding(int count) {
		return count == 5;
	}

	private Reply get(String path) {
		return this.http.get(path, "X-Key", this.key);
	}

	private static LevelStatus status(ConfigurableApplicationContext application) {
		return application.getBean(LoadGuard.class).status(Level.NORMAL);
	}

	private static SlowHandlers handlers(ConfigurableApplicationContext application) {
		return application.getBean(SlowHandlers.class);
	}

	private static void awaitFree(ConfigurableApplicationContext application) {
		soon().untilAsserted(() -> assertThat(status(application).inFlight()).isZero());
	}

	private void awaitRemaining(ConfigurableApplicationContext application, long remaining) {
		soon().untilAsserted(() -> assertThat(application.getBean(RateLimiter.class)
			.peek(RULE, "header:" + this.key)
			.blockOptional()
			.orElseThrow()
			.verdicts()
			.get(0)
			.remaining()).isEqualTo(remaining));
	}

	private static ConditionFactory soon() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
	}

	private static ConfigurableApplicationContext start(SentStatusApplication.Server server) {
		boolean reactive = server == SentStatusApplication.Server.NETTY;
		return new SpringApplicationBuilder(Guarded.class)
			.web((reactive) ? WebApplicationType.REACTIVE : WebApplicationType.SERVLET)
			.run("--server.port=0", "--spring.main.banner-mode=off", "--server.shutdown=immediate",
					"--spring.lifecycle.timeout-per-shutdown-phase=100ms", "--test.server=" + server,
					"--management.endpoints.web.exposure.include=ratelimit", "--ratelimit.load.enabled=true",
					"--ratelimit.load.limit=2", "--ratelimit.load.queue.length=1",
					"--ratelimit.load.queue.max-wait=300ms", "--ratelimit.load.header=X-Criticality",
					"--ratelimit.load.trusted-upstreams=127.0.0.0/8,::1", "--ratelimit.load.classify[0].paths=/low/**",
					"--ratelimit.load.classify[0].level=low", "--ratelimit.load.classify[1].paths=/poll",
					"--ratelimit.load.classify[1].long-lived=true", "--ratelimit.defaults.key=header:X-Key",
					"--ratelimit.rules.charged.paths=/**", "--ratelimit.rules.charged.limit=1000/d",
					"--ratelimit.rules.charged.phase=early", "--ratelimit.rules.once.paths=/once",
					"--ratelimit.rules.once.limit=1/d", "--ratelimit.rules.once.phase=early",
					"--ratelimit.rules.tarred.paths=/tarred", "--ratelimit.rules.tarred.limit=1/d",
					"--ratelimit.rules.tarred.phase=late", "--ratelimit.rules.tarred.on-excess=tarpit",
					"--ratelimit.rules.tarred.tarpit.delay=30s", "--ratelimit.rules.tarred.tarpit.max=" + TARRED,
					"--ratelimit.rules.lined.paths=/lined", "--ratelimit.rules.lined.limit=1",
					"--ratelimit.rules.lined.algorithm=concurrency", "--ratelimit.rules.lined.wait=20s");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ SlowHandlers.class, Handlers.class, Servlets.class, ContractServletSecurity.class,
			ContractReactiveSecurity.class })
	static class Guarded {

	}

	@RestController
	static class Handlers {

		private final SlowHandlers slow;

		Handlers(SlowHandlers slow) {
			this.slow = slow;
		}

		@GetMapping({ "/plain", "/once" })
		String plain() {
			return "plain";
		}

		@Criticality(Level.CRITICAL)
		@GetMapping("/important")
		String important() {
			return "important";
		}

		@GetMapping({ "/poll", "/lined" })
		CompletableFuture<String> poll(@RequestHeader("X-Key") String key) {
			return this.slow.begin(key);
		}

		// The test ends the stream and then closes the connection, because not all
		// servers notice that a client has disconnected.
		@GetMapping("/numbers")
		Flux<Integer> numbers(@RequestHeader("X-Key") String key) {
			// A stream that cannot send its numbers in time must not fail.
			return Flux.interval(Duration.ofMillis(100))
				.onBackpressureDrop()
				.map(Long::intValue)
				.takeUntilOther(Mono.fromFuture(this.slow.begin(key)));
		}

		@GetMapping("/broken")
		Flux<Integer> broken() {
			return Flux.concat(Mono.just(1), Mono.delay(Duration.ofMillis(50)).thenMany(Flux.just(2)),
					Mono.error(new IllegalStateException("on purpose")));
		}

		@GetMapping("/messages")
		Flux<ServerSentEvent<String>> messages() {
			return Flux.just(ServerSentEvent.builder("first").build()).concatWith(Flux.never());
		}

		@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
		Flux<String> events() {
			return Flux.just("first").concatWith(Flux.never());
		}

	}

	/** Emitters, whose first event is sent after the filters have returned. */
	@RestController
	static class Emitters {

		@GetMapping("/emitted")
		SseEmitter emitted() {
			SseEmitter emitter = new SseEmitter(0L);
			Mono.delay(Duration.ofMillis(300)).subscribe((done) -> send(emitter));
			return emitter;
		}

		@GetMapping("/emitted-later")
		CompletableFuture<SseEmitter> emittedLater() {
			SseEmitter emitter = new SseEmitter(0L);
			send(emitter);
			return Mono.delay(Duration.ofMillis(300)).thenReturn(emitter).toFuture();
		}

		private static void send(SseEmitter emitter) {
			try {
				emitter.send("first");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	@Import({ SlowServletHandlers.class, Emitters.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	static class Servlets {

		@Bean
		@ConditionalOnProperty(name = "test.server", havingValue = "JETTY")
		JettyServletWebServerFactory jetty() {
			return new JettyServletWebServerFactory();
		}

	}

}
