package dev.ratelimit.http.matrix;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.ratelimit.Criticality.Level;
import dev.ratelimit.ban.Ban;
import dev.ratelimit.ban.Bans;
import dev.ratelimit.http.HttpProbe;
import dev.ratelimit.http.Reply;
import dev.ratelimit.load.LoadGuard;
import dev.ratelimit.web.Entry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests requests of all forms against rules of all kinds, with real servers. Each request
 * that the application examines or serves is counted exactly once by each rule that
 * applies, and rejected if the rule rejects, unless the documentation lists an exemption.
 */
class RequestMatrixTests {

	private static final Map<String, Exemption> DOCUMENTED = Exemption.documented();

	private static final String TOMCAT_MANAGEMENT = "org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
			+ "TomcatReactiveManagementContextAutoConfiguration";

	/** The number of requests without a state per request with a state. */
	private static final int THINNED = 3;

	@Test
	void eachExemptionHasItsReasonInTheDocumentation() {
		Set<String> exempt = Arrays.stream(Entry.values())
			.map(Entry::reason)
			.filter((reason) -> !reason.isEmpty())
			.collect(Collectors.toCollection(TreeSet::new));
		// These exemptions apply to handlers and to dispatches.
		exempt.addAll(List.of("handler", "dispatch"));
		assertThat(DOCUMENTED.keySet()).isEqualTo(exempt);
		assertThat(DOCUMENTED.values()).allSatisfy((exemption) -> {
			assertThat(exemption.reason()).isNotEmpty();
			assertThat(exemption.applies()).isNotEmpty();
		});
	}

	@Test
	void eachExemptionIsTried() {
		Set<String> tried = new TreeSet<>(Set.of("management port"));
		Shapes.all()
			.forEach((shape) -> shape.credentials().forEach((presented) -> tried.add(shape.exemption(presented))));
		tried.remove("");
		assertThat(tried).isEqualTo(DOCUMENTED.keySet());
	}

	@ParameterizedTest
	@EnumSource
	@Timeout(600)
	void examinedRequestIsCountedOnce(Server server) {
		try (Matrix matrix = new Matrix(server)) {
			List<Cell> cells = server.cells();
			for (int i = 0; i < cells.size(); i++) {
				matrix.send(cells.get(i), i);
				if (i % THINNED == 0) {
					matrix.send(cells.get(i), i, State.values()[(i / THINNED) % State.values().length]);
				}
			}
			matrix.sendWithoutSeats(cells, 2 * THINNED);
			matrix.finish(cells);
		}
	}

	@Tag("long")
	@Tag("nightly")
	@ParameterizedTest
	@EnumSource
	void examinedRequestIsCountedOnceInEachState(Server server) {
		try (Matrix matrix = new Matrix(server)) {
			List<Cell> all = server.cells();
			int step = Integer.getInteger("test.matrix.step", 1);
			List<Cell> cells = IntStream.range(0, all.size()).filter((i) -> i % step == 0).mapToObj(all::get).toList();
			for (int i = 0; i < cells.size(); i++) {
				matrix.send(cells.get(i), i);
				for (State state : State.values()) {
					matrix.send(cells.get(i), i, state);
				}
			}
			matrix.sendWithoutSeats(cells, 1);
			matrix.finish(cells);
		}
	}

	/**
	 * An application under test.
	 */
	enum Server {

		SERVLET(WebApplicationType.SERVLET, MatrixApplication.Open.class),
		SERVLET_SECURED(WebApplicationType.SERVLET, MatrixApplication.Secured.class),
		SERVLET_BELOW(WebApplicationType.SERVLET, MatrixApplication.Open.class, "--server.servlet.context-path=/app",
				"--management.server.port=0", "--server.forward-headers-strategy=framework", "--test.lenient=true"),
		WEBFLUX(WebApplicationType.REACTIVE, MatrixApplication.Open.class),
		WEBFLUX_SECURED(WebApplicationType.REACTIVE, MatrixApplication.Secured.class),
		WEBFLUX_BELOW(WebApplicationType.REACTIVE, MatrixApplication.Open.class, "--spring.webflux.base-path=/app",
				"--management.server.port=0", "--server.forward-headers-strategy=framework", "--test.lenient=true",
				"--spring.autoconfigure.exclude=" + TOMCAT_MANAGEMENT);

		private final WebApplicationType stack;

		private final Class<?> application;

		private final String[] properties;

		Server(WebApplicationType stack, Class<?> application, String... properties) {
			this.stack = stack;
			this.application = application;
			this.properties = properties;
		}

		boolean isSecured() {
			return this.application == MatrixApplication.Secured.class;
		}

		boolean isBelow() {
			return this.properties.length > 0;
		}

		List<Cell> cells() {
			List<Cell> cells = new ArrayList<>();
			for (Shape shape : (isBelow()) ? Shapes.below("/app") : Shapes.all()) {
				if (this.stack == WebApplicationType.SERVLET || !shape.servletOnly()) {
					credentials(shape).forEach((presented) -> cells.add(new Cell(shape, presented, false)));
				}
			}
			if (isBelow()) {
				cells.add(new Cell(Shape.get("/actuator/health").exempt("management port", "management port"),
						Credentials.NONE, true));
				cells.add(new Cell(Shape.get("/actuator/info").exempt("management port", "management port"),
						Credentials.WRONG, true));
			}
			return cells;
		}

		// Without authentication, credentials matter only to exempt requests.
		private Set<Credentials> credentials(Shape shape) {
			Set<Credentials> all = shape.credentials();
			return (isSecured()) ? all : (all.size() > 1 && !shape.exemption().isEmpty())
					? EnumSet.of(Credentials.NONE, Credentials.WRONG) : EnumSet.of(Credentials.NONE);
		}

		ConfigurableApplicationContext start() {
			List<String> arguments = new ArrayList<>(List.of("--server.port=0", "--server.address=127.0.0.1",
					"--spring.main.banner-mode=off", "--server.shutdown=immediate", "--logging.level.root=OFF",
					"--spring.mvc.hiddenmethod.filter.enabled=true",
					"--spring.webflux.hiddenmethod.filter.enabled=true",
					"--management.endpoints.web.exposure.include=*", "--management.health.redis.enabled=false",
					"--ratelimit.client-address.trusted-proxies=127.0.0.0/8", "--ratelimit.bans.per-minute=100000",
					"--ratelimit.load.enabled=true", "--ratelimit.load.limit=8", "--ratelimit.load.queue.length=0",
					"--ratelimit.deny=" + State.DENIED_NETWORK,
					// The tests verify the calls of the store. If the machine paused
					// during the first decision, the failure policy would make the second
					// one.
					"--ratelimit.deadline=20s"));
			Stream.of(MatrixRule.values()).map(MatrixRule::arguments).forEach(arguments::addAll);
			Collections.addAll(arguments, this.properties);
			return new SpringApplicationBuilder(this.application).web(this.stack).run(arguments.toArray(String[]::new));
		}

	}

	/**
	 * A request and its destination.
	 *
	 * @param shape the form of the request
	 * @param presented the credentials of the request
	 * @param management whether it is sent to the management port
	 */
	record Cell(Shape shape, Credentials presented, boolean management) {

		Exemption exemption() {
			String name = this.shape.exemption(this.presented);
			return (name.isEmpty()) ? Exemption.NONE : DOCUMENTED.getOrDefault(name, Exemption.NONE);
		}

		@Override
		public String toString() {
			return this.shape + " [" + this.presented + "] " + exemption().name();
		}

	}

	/**
	 * The requests to one application.
	 */
	private static final class Matrix implements AutoCloseable {

		private final Server server;

		private final ConfigurableApplicationContext application;

		private final HttpProbe http;

		private final Reached reached;

		private final ChargeLog charges;

		private final Map<String, Set<String>> failures = new LinkedHashMap<>();

		private final Map<String, Integer> statuses = new HashMap<>();

		private int sent;

		Matrix(Server server) {
			this.server = server;
			this.application = server.start();
			this.http = new HttpProbe(port("local.server.port"));
			this.reached = this.application.getBean(Reached.class);
			this.charges = this.application.getBean(ChargeLog.class);
		}

		private int port(String property) {
			return this.application.getEnvironment().getRequiredProperty(property, Integer.class);
		}

		private static String client(int number) {
			return String.format("10.0.%d.%d", number >> 8, number & 255);
		}

		private Reply reply(Cell cell, String client) {
			this.sent++;
			HttpProbe probe = (cell.management()) ? new HttpProbe(port("local.management.port")) : this.http;
			return probe.sendRaw(cell.shape().text(client, cell.presented()));
		}

		/**
		 * Send a request of a client without a state.
		 */
		void send(Cell cell, int number) {
			String client = client(number);
			int status = reply(cell, client).statusCode();
			this.statuses.put(client, status);
			for (MatrixRule rule : MatrixRule.values()) {
				if (!rule.countsResponses()) {
					verify(cell, client, status, rule);
				}
			}
		}

		private void verify(Cell cell, String client, int status, MatrixRule rule) {
			Reached.Seen seen = this.reached.of(client);
			ChargeLog.Charged charged = this.charges.of(client, rule.id());
			boolean counted = cell.exemption().leaves(rule, this.server.isSecured());
			boolean must = counted && rule.covers(seen) && !(rule.countsContent() && cell.shape().body().isEmpty());
			// A rewritten request is also charged for its new route.
			int once = (rule == MatrixRule.ROUTED) ? Math.max(1, charged.subjects().size()) : 1;
			if (charged.times() > ((counted) ? once : 0) || (must && charged.times() != once)) {
				fail(cell, status, seen, rule.id() + " charged it " + charged.times() + " times");
			}
			if (must && rule.costsNumber() && charged.units() < Math.min(seen.number(), MatrixRule.CAPACITY)) {
				fail(cell, status, seen, rule.id() + " charged " + charged.units() + " units for " + seen.number());
			}
			boolean identified = !seen.key().isEmpty()
					&& ((rule == MatrixRule.KEYED && cell.shape().hasKey() && charged.hasNo("param"))
							|| (rule == MatrixRule.FORM && cell.shape().hasOneField() && charged.hasNo("form")));
			if (must && identified) {
				fail(cell, status, seen, "not counted under " + seen.key() + ": " + charged);
			}
		}

		/**
		 * Send a request of a client in a state.
		 */
		void send(Cell cell, int number, State state) {
			if (cell.management()) {
				return;
			}
			String client = state.client(number);
			Runnable end = state.enter(this.application, client);
			this.charges.forget(client);
			int status = reply(cell, client).statusCode();
			Reached.Seen seen = this.reached.of(client);
			Reached.Seen before = this.reached.of(client(number));
			ChargeLog.Charged charged = this.charges.of(client, state.rule().id());
			if (state.rejects(cell.exemption(), before, this.charges.of(client(number), state.rule().id()))) {
				// The early rules of a rewritten path are evaluated in the late phase.
				boolean between = state.rule().early() && this.server.isSecured() && !cell.shape().isRewritten();
				boolean passed = (between) ? seen.isExamined()
						: (state.rule().scope() == MatrixRule.Scope.ALL) ? seen.isPassed() : !seen.handlers().isEmpty();
				if (passed || charged.times() > 0 || isUnexpected(status, state)) {
					fail(cell, status, seen, "not rejected in the state " + state);
				}
			}
			else if (!seen.handlers().equals(before.handlers()) || seen.isPassed() != before.isPassed()) {
				fail(cell, status, seen, "in the state " + state + " it is not the same as " + before);
			}
			end.run();
		}

		// Other components may reject the request first.
		private static boolean isUnexpected(int status, State state) {
			return !state.statuses().contains(status) && status != 400 && status != 0;
		}

		/**
		 * Send some of the requests while no seat is free, and more of those that only
		 * servlets support. The holders of the seats wait at most 30 seconds.
		 */
		void sendWithoutSeats(List<Cell> cells, int step) {
			MatrixHandlers.Held held = this.application.getBean(MatrixHandlers.Held.class);
			String path = (this.server.isBelow()) ? "/app/held" : "/held";
			List<CompletableFuture<Reply>> holding = new ArrayList<>();
			LoadGuard guard = this.application.getBean(LoadGuard.class);
			// Earlier requests may still have the seats of the holders.
			soon(() -> assertThat(guard.status(Level.NORMAL).inFlight()).isZero());
			for (int i = 0; i < 8; i++) {
				String client = "10.99.0." + i;
				holding.add(CompletableFuture.supplyAsync(
						() -> this.http.sendRaw(Shape.get(path).text(client, Credentials.NONE)),
						(work) -> new Thread(work, "held").start()));
			}
			soon(() -> assertThat(guard.status(Level.NORMAL).inFlight()).isEqualTo(8));
			for (int i = 0; i < cells.size(); i++) {
				Cell cell = cells.get(i);
				if (i % ((cell.shape().servletOnly()) ? Math.max(1, step / 4) : step) != 0) {
					continue;
				}
				String client = String.format("10.98.%d.%d", i >> 8, i & 255);
				int status = reply(cell, client).statusCode();
				Reached.Seen seen = this.reached.of(client);
				boolean passed = (cell.shape().isRewritten()) ? !seen.handlers().isEmpty() : seen.isExamined();
				if (cell.exemption().takesSeat() && passed) {
					fail(cell, status, seen, "reached without a seat");
				}
			}
			held.release();
			holding.forEach(CompletableFuture::join);
		}

		/**
		 * Verify the final state after all requests have ended: no resources are held,
		 * and no counts change.
		 */
		void finish(List<Cell> cells) {
			soon(() -> assertThat(this.application.getBean(LoadGuard.class).status(Level.NORMAL).inFlight()).isZero());
			soon(() -> assertThat(IntStream.range(0, cells.size())
				.filter((number) -> held(client(number)) > 0)
				.mapToObj((number) -> cells.get(number) + " holds a slot")).isEmpty());
			soon(() -> assertThat(IntStream.range(0, cells.size())
				.filter((number) -> !isFailureCounted(cells.get(number), client(number)))
				.mapToObj((number) -> cells.get(number) + " " + this.statuses.get(client(number)) + ": "
						+ this.charges.of(client(number), MatrixRule.FAILURES.id())))
				.isEmpty());
			soon(() -> assertThat(banned()).isEqualTo(IntStream.range(0, cells.size())
				.filter((number) -> isFailure(cells.get(number), client(number)))
				.mapToObj((number) -> "ip:" + client(number))
				.collect(Collectors.toCollection(TreeSet::new))));
			for (int i = 0; i < cells.size(); i++) {
				for (MatrixRule rule : MatrixRule.values()) {
					if (!rule.countsResponses()) {
						verify(cells.get(i), client(i), this.statuses.get(client(i)), rule);
					}
				}
			}
			assertThat(IntStream.range(0, cells.size())
				.filter((number) -> this.reached.of(client(number)).handlers().contains("target"))
				.filter((number) -> cells.get(number).shape().isPlain())).as("plain requests that were served")
				.isNotEmpty();
			assertThat(this.reached.of(null).isPassed()).as("requests of unknown clients").isFalse();
			assertThat(this.failures).as("%d requests to %s", this.sent, this.server).isEmpty();
		}

		private long held(String client) {
			return this.charges.of(client, MatrixRule.SLOTS.id()).units()
					+ this.charges.of(client, MatrixRule.LINE.id()).units();
		}

		private boolean isFailure(Cell cell, String client) {
			return this.statuses.get(client) == 401
					&& cell.exemption().leaves(MatrixRule.STRUCK, this.server.isSecured());
		}

		private boolean isFailureCounted(Cell cell, String client) {
			return this.charges.of(client, MatrixRule.FAILURES.id()).units() == ((isFailure(cell, client)) ? 1 : 0);
		}

		private Set<String> banned() {
			return this.application.getBean(Bans.class)
				.active()
				.stream()
				.map(Ban::subject)
				.filter((subject) -> subject.startsWith("ip:10.0."))
				.collect(Collectors.toCollection(TreeSet::new));
		}

		private void fail(Cell cell, int status, Reached.Seen seen, String reason) {
			this.failures.computeIfAbsent(cell + ": " + status + ", " + seen, (name) -> new TreeSet<>()).add(reason);
		}

		private static void soon(org.awaitility.core.ThrowingRunnable assertion) {
			Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10)).untilAsserted(assertion);
		}

		@Override
		public void close() {
			this.application.close();
		}

	}

}
