package dev.ratelimit.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.RateLimited;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.doctor.SwallowedContentCheck;
import dev.ratelimit.store.Time;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests more clients than server threads, each of which sends a form one byte at a time.
 */
class SlowFormTests {

	private static final int THREADS = 8;

	private static final int CLIENTS = 20;

	private static final String DENIED = "192.0.2.66";

	private final List<Trickle> trickles = new CopyOnWriteArrayList<>();

	private String path = "/login";

	private ConfigurableApplicationContext application = new GenericApplicationContext();

	@AfterEach
	void stop() {
		this.trickles.forEach(Trickle::close);
		this.application.close();
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void denyListedAddressIsRejectedBeforeReadingTheForm(WebApplicationType stack) {
		start(stack, "--ratelimit.deny=" + DENIED);
		trickle(CLIENTS, (client) -> DENIED);
		awaitStatuses(CLIENTS, 403);
		assertThat(open()).isEqualTo(200);
	}

	// The mapping that has the configuration of CORS may read parameters.
	@Test
	void theOriginOfARejectedRequestDoesNotReadItsForm() {
		start(WebApplicationType.SERVLET, "--ratelimit.deny=" + DENIED);
		this.path = "/chosen";
		trickle(CLIENTS, (client) -> DENIED + "\r\nOrigin: https://page.example");
		awaitStatuses(CLIENTS, 403);
		assertThat(open()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void bannedAddressIsRejectedBeforeReadingTheForm(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.address.paths=/login", "--ratelimit.rules.address.key=ip",
				"--ratelimit.rules.address.limit=1/d", "--ratelimit.rules.address.ban.after=1",
				"--ratelimit.rules.address.ban.within=1h", "--ratelimit.rules.address.ban.for=1h");
		Awaitility.await().until(() -> login("username=alice", "X-Forwarded-For", DENIED) == 403);
		trickle(CLIENTS, (client) -> DENIED);
		awaitStatuses(CLIENTS, 403);
		assertThat(open()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void aRuleThatDoesNotNeedTheFormDecidesFirst(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.address.paths=/login", "--ratelimit.rules.address.key=ip",
				"--ratelimit.rules.address.limit=1/d");
		assertThat(login("username=alice", "X-Forwarded-For", DENIED)).isEqualTo(200);
		trickle(CLIENTS, (client) -> DENIED);
		awaitStatuses(CLIENTS, 429);
		assertThat(open()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(value = WebApplicationType.class, names = { "SERVLET", "REACTIVE" })
	void aRequestWithoutAChanceOfASeatIsShedFirst(WebApplicationType stack) {
		start(stack, "--ratelimit.load.enabled=true", "--ratelimit.load.limit=1", "--ratelimit.load.queue.length=0");
		this.application.getBean(StoppableTime.class).stop();
		trickle(CLIENTS, (client) -> "198.51.100." + client);
		awaitStatuses(CLIENTS - 1, 503);
	}

	@Test
	void aHandlerThatAFieldSelectsIsLookedForAfterOtherRules() {
		start(WebApplicationType.SERVLET, "--ratelimit.rules.address.paths=/chosen", "--ratelimit.rules.address.key=ip",
				"--ratelimit.rules.address.limit=1/d");
		this.path = "/chosen";
		assertThat(login("mode=limited", "X-Forwarded-For", DENIED)).isEqualTo(200);
		trickle(CLIENTS, (client) -> DENIED);
		awaitStatuses(CLIENTS, 429);
		assertThat(open()).isEqualTo(200);
	}

	@Test
	void aSlowFormThatSelectsTheHandlerIsShedFirst() {
		start(WebApplicationType.SERVLET, "--ratelimit.load.enabled=true", "--ratelimit.load.limit=1",
				"--ratelimit.load.queue.length=0");
		this.application.getBean(StoppableTime.class).stop();
		this.path = "/chosen";
		trickle(CLIENTS, (client) -> "198.51.100." + client);
		awaitStatuses(CLIENTS - 1, 503);
	}

	@Test
	void formsKeepNoMoreThanSomeThreads() {
		start(WebApplicationType.SERVLET);
		this.application.getBean(StoppableTime.class).stop();
		trickle(CLIENTS, (client) -> "198.51.100." + client);
		awaitStatuses(CLIENTS - THREADS / 4, 403);
		assertThat(open()).isEqualTo(200);
	}

	// The stream of Jetty reports its end only after a read that may block.
	@ParameterizedTest
	@CsvSource({ "TOMCAT, 200", "JETTY, 403" })
	void formsThatHaveArrivedAreReadWhileSlowOnesTakeAllThreads(String server, int status) {
		start(WebApplicationType.SERVLET, "--test.server=" + server);
		this.application.getBean(StoppableTime.class).stop();
		trickle(CLIENTS, (client) -> "198.51.100." + client);
		awaitStatuses(CLIENTS - THREADS / 4, 403);
		for (int i = 0; i < THREADS; i++) {
			assertThat(loginInOnePiece("username=alice")).isEqualTo(status);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TOMCAT", "JETTY" })
	void theHandlerFindsTheFieldsOfAFormThatWasNotRead(String server) {
		start(WebApplicationType.SERVLET, "--test.server=" + server, "--ratelimit.rules.field.paths=/field",
				"--ratelimit.rules.field.limit=100/d", "--ratelimit.rules.field.key=form:username",
				"--ratelimit.rules.field.on-missing-key=skip");
		this.application.getBean(StoppableTime.class).stop();
		trickle(CLIENTS, (client) -> "198.51.100." + client);
		awaitStatuses(CLIENTS - THREADS / 4, 403);
		this.path = "/field";
		assertThat(login("more=" + "a".repeat(10_000) + "&username=alice")).isEqualTo(200);
		assertThat(loginInOnePiece("username=alice")).isEqualTo(200);
	}

	@Test
	void oneClientDoesNotTakeAllOfThem() {
		start(WebApplicationType.SERVLET);
		this.application.getBean(StoppableTime.class).stop();
		trickle(CLIENTS, (client) -> DENIED);
		awaitStatuses(CLIENTS - 1, 403);
		assertThat(login("username=alice")).isEqualTo(200);
	}

	@Test
	void noFormKeepsAThreadForLong() {
		start(WebApplicationType.SERVLET);
		trickle(1, (client) -> DENIED);
		awaitStatuses(1, 403);
	}

	@ParameterizedTest
	@CsvSource({ "2MB, 1", "0, 0" })
	void theDoctorFindsThatTomcatReadsTheContentOfRejectedRequests(String size, int findings) {
		start(WebApplicationType.SERVLET, "--ratelimit.deny=" + DENIED, "--server.tomcat.max-swallow-size=" + size);
		SwallowedContentCheck check = this.application.getBean(SwallowedContentCheck.class);
		assertThat(check.findings()).isEmpty();
		IntStream.range(0, 100).forEach((i) -> login("username=alice", "X-Forwarded-For", DENIED));
		assertThat(check.findings()).hasSize(findings)
			.allMatch((finding) -> finding.code() == FindingCode.SWALLOWED_CONTENT);
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, multipart/form-data; boundary=x", "REACTIVE, multipart/form-data; boundary=x",
			"SERVLET, application/x-www-form-urlencoded; charset=none" })
	void aFormThatIsNotReadIsNoWayAroundARuleThatSkipsRequestsWithoutTheField(WebApplicationType stack, String type) {
		start(stack, "--ratelimit.rules.account.on-missing-key=skip", "--ratelimit.rules.account.limit=2/d");
		String[] headers = { "Content-Type", type };
		String part = "--x\r\nContent-Disposition: form-data; name=\"username\"\r\n\r\nalice\r\n--x--\r\n";
		String body = (type.startsWith("multipart")) ? part : "username=alice";
		assertThat(IntStream.range(0, 3).mapToObj((i) -> http().send("POST", "/login", body, headers).statusCode()))
			.containsExactly(200, 200, 429);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void aFormOfAnotherMethodIsNoWayAroundARuleThatSkips(WebApplicationType stack) {
		start(stack, "--ratelimit.rules.account.on-missing-key=skip", "--ratelimit.rules.account.limit=2/d");
		String[] headers = { "Content-Type", "application/x-www-form-urlencoded" };
		assertThat(IntStream.range(0, 3)
			.mapToObj((i) -> http().send("PUT", "/login", "username=alice", headers).statusCode())).last()
			.isEqualTo(429);
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, username=alice&username=bob, ''", "REACTIVE, username=alice&username=bob, ''",
			"SERVLET, username=alice, ?username=bob", "REACTIVE, username=alice, ?username=bob",
			"SERVLET, x=1, ?username=bob", "REACTIVE, x=1, ?username=bob", "SERVLET, x=1, ?username%5B0%5D=bob",
			"REACTIVE, x=1, ?username%5B0%5D=bob", "SERVLET, username[0]=bob&username[1]=b, ''",
			"REACTIVE, username[0]=bob&username[1]=b, ''" })
	void aFieldThatIsAmbiguousIsNoWayAroundARuleThatSkips(WebApplicationType stack, String form, String query) {
		start(stack, "--ratelimit.rules.account.on-missing-key=skip", "--ratelimit.rules.account.limit=2/d");
		String[] headers = { "Content-Type", "application/x-www-form-urlencoded" };
		assertThat(IntStream.range(0, 3)
			.mapToObj((i) -> http().send("POST", "/login" + query, form, headers).statusCode()))
			.containsExactly(200, 200, 429);
		assertThat(
				IntStream.range(0, 3).mapToObj((i) -> http().send("POST", "/login", "other=1", headers).statusCode()))
			.containsOnly(200);
	}

	private int login(String form, String... headers) {
		String[] all = Stream.concat(Stream.of("Content-Type", "application/x-www-form-urlencoded"), Stream.of(headers))
			.toArray(String[]::new);
		return http().send("POST", this.path, form, all).statusCode();
	}

	private int loginInOnePiece(String form) {
		try (Trickle client = new Trickle(port(), this.path, "203.0.113.9", form, form.length())) {
			return Awaitility.await().until(client::status, (status) -> status != 0);
		}
	}

	private int open() {
		return http().get("/open").statusCode();
	}

	private void trickle(int clients, IntFunction<String> address) {
		for (int i = 0; i < clients; i++) {
			this.trickles.add(new Trickle(port(), this.path, address.apply(i), "username=", 150_000));
		}
	}

	private void awaitStatuses(int count, int status) {
		// The form itself is read for five seconds.
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			List<Integer> answered = new ArrayList<>();
			for (Trickle trickle : this.trickles) {
				trickle.send();
				if (trickle.status() != 0) {
					answered.add(trickle.status());
				}
			}
			assertThat(answered).hasSize(count).containsOnly(status);
		});
	}

	private HttpProbe http() {
		return new HttpProbe(port());
	}

	private int port() {
		return this.application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	private void start(WebApplicationType stack, String... more) {
		this.application = new SpringApplicationBuilder(Application.class).web(stack)
			.properties("server.port=0", "server.tomcat.threads.max=" + THREADS, "server.tomcat.max-swallow-size=0",
					"ratelimit.store=memory", "ratelimit.client-address.trusted-proxies=127.0.0.1",
					"ratelimit.rules.account.paths=/login", "ratelimit.rules.account.key=form:username",
					"ratelimit.rules.account.limit=100/d", "ratelimit.rules.account.on-missing-key=deny")
			.run(more);
	}

	/**
	 * A client that sends the beginning of its form, and the rest byte by byte, if at
	 * all.
	 */
	private static final class Trickle implements AutoCloseable {

		private static final int STATUS = "HTTP/1.1 ".length();

		private final Socket socket;

		private int status;

		Trickle(int port, String path, String address, String begin, int length) {
			try {
				this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
				write("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length
						+ "\r\nX-Forwarded-For: " + address
						+ "\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n" + begin);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		// The server may have responded and closed the connection.
		void send() {
			try {
				write("a");
			}
			catch (IOException ex) {
				assertThat(status()).isNotZero();
			}
		}

		int status() {
			try {
				InputStream response = this.socket.getInputStream();
				if (this.status == 0 && response.available() >= STATUS + 3) {
					response.skipNBytes(STATUS);
					this.status = Integer.parseInt(new String(response.readNBytes(3), StandardCharsets.US_ASCII));
				}
				return this.status;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private void write(String text) throws IOException {
			this.socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		}

		@Override
		public void close() {
			try {
				this.socket.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Handlers.class, ContractServletSecurity.class, ContractReactiveSecurity.class, StoppableTime.class })
	static class Application {

		@Bean
		@ConditionalOnProperty(name = "test.server", havingValue = "JETTY")
		JettyServletWebServerFactory jetty() {
			return new JettyServletWebServerFactory();
		}

	}

	/**
	 * A time at which the forms that are read do not end.
	 */
	static class StoppableTime implements Time {

		private volatile OptionalLong stopped = OptionalLong.empty();

		void stop() {
			this.stopped = OptionalLong.of(System.nanoTime());
		}

		@Override
		public long nanos() {
			return this.stopped.orElseGet(System::nanoTime);
		}

	}

	@RestController
	static class Handlers {

		@GetMapping("/open")
		String open() {
			return "open";
		}

		@PostMapping("/login")
		String login() {
			return "in";
		}

		@PostMapping("/field")
		String field(@RequestParam String username) {
			return username;
		}

		@RateLimited(value = "100/d", key = "ip")
		@PostMapping(path = "/chosen", params = "mode=limited")
		String chosen() {
			return "limited";
		}

		@PostMapping("/chosen")
		String other() {
			return "other";
		}

	}

}
