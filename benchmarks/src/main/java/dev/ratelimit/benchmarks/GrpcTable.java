package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Comparison;
import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;
import dev.ratelimit.benchmarks.report.Results;

/**
 * A table of gRPC calls end to end, from one hot client. All applications of the table
 * run at the same time, but only one of them is called at a time.
 *
 * @param layout the layout of the table
 * @param rows the rows, each with its calls and its limits
 */
record GrpcTable(Layout layout, List<Row> rows) implements Table {

	private static final String ECHO = "/bench.Service/Echo";

	private static final String ENVOY = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

	private static final List<Metric> COLUMNS = List.of(Metric.REQUESTS, Metric.P50, Metric.P99, Metric.CLIENT_MICROS,
			Metric.REDIS_MICROS, Metric.COMMANDS);

	static List<Table> all() {
		return List.of(envoy(), calls());
	}

	private static Table envoy() {
		Row strict = Row.envoy("strict", "redis", "strict", 1);
		List<Row> rows = List.of(Row.echo("echo", "ratelimit.enabled=false"),
				Row.envoy("memory", "memory", "strict", 1), Row.envoy("leased", "redis", "leased", 1), strict,
				Row.envoy("strict, six descriptors", "redis", "strict", 6), new Row("strict, 5,000 calls/s",
						strict.path(), strict.message(), strict.decisions(), 5_000, strict.properties()));
		return new GrpcTable(
				new Layout("envoy", "Envoy's rate limit service, " + load(), COLUMNS,
						List.of(Comparison.of("echo", Metric.REQUESTS), Comparison.of("strict", Metric.REQUESTS)), ""),
				rows);
	}

	private static Table calls() {
		List<Row> rows = List.of(Row.echo("no interceptors", "ratelimit.enabled=false"), Row.calls("memory", "memory"),
				Row.calls("strict", "redis"));
		return new GrpcTable(new Layout("grpc", "A gRPC service with one rule, " + load(), COLUMNS,
				List.of(Comparison.of("no interceptors", Metric.REQUESTS)), ""), rows);
	}

	private static String load() {
		return "%d connections with %d calls each".formatted(H2Load.CONNECTIONS, H2Load.STREAMS);
	}

	@Override
	public Results measure(Session session) throws Exception {
		session.stats().flush();
		List<Server> servers = new ArrayList<>();
		try {
			for (Row row : this.rows) {
				if (session.settings().wantsRow(row.name())) {
					Server server = Server.start(this.layout.id(), row, session.redis());
					servers.add(server);
					server.awaitReady();
				}
			}
			return new Turns(this.layout.id(),
					servers.stream()
						.map((server) -> new Turns.WaitResult(server.row().name(),
								(ramp, time) -> measure(server, session.stats(), time)))
						.toList())
				.take(session.settings().http());
		}
		finally {
			servers.forEach(Server::close);
		}
	}

	private static Figures measure(Server server, RedisStats redis, Duration time)
			throws IOException, InterruptedException {
		redis.resetCommandCounts();
		double redisMicros = redis.cpuMicros();
		double applicationMicros = server.cpuMicros();
		long decisions = server.decisions();
		H2Load load = H2Load.run(server.address(), server.row().message(), time, server.row().perSecond());
		server.requireDecisions(decisions, load.calls());
		double calls = load.calls();
		Map<Metric, Double> values = new EnumMap<>(Metric.class);
		values.put(Metric.REQUESTS, load.callsPerSecond());
		values.put(Metric.P50, load.p50Millis());
		values.put(Metric.P99, load.p99Millis());
		values.put(Metric.CLIENT_MICROS, (server.cpuMicros() - applicationMicros) / calls);
		values.put(Metric.REDIS_MICROS, (redis.cpuMicros() - redisMicros) / calls);
		values.put(Metric.COMMANDS, redis.commandCounts().all() / calls);
		return new Figures(values);
	}

	/**
	 * A row of the table.
	 *
	 * @param name the name of the row
	 * @param path the path of the method that is called
	 * @param message a file with the message of each call
	 * @param decisions the number of decisions that the meters count for each call
	 * @param perSecond the number of calls that are sent per second; 0 to send the next
	 * call after each response
	 * @param properties the properties that define the limits of the application
	 */
	record Row(String name, String path, Path message, int decisions, int perSecond, List<String> properties) {

		static Row echo(String name, String... properties) {
			return new Row(name, ECHO, GrpcMessage.file(GrpcMessage.rateLimitRequest(1)), 0, 0, List.of(properties));
		}

		static Row envoy(String name, String store, String consistency, int descriptors) {
			return new Row(name, ENVOY, GrpcMessage.file(GrpcMessage.rateLimitRequest(descriptors)), descriptors, 0,
					List.of("spring.profiles.active=envoy", "ratelimit.store=" + store,
							"ratelimit.defaults.consistency=" + consistency, "ratelimit.deadline=1s"));
		}

		static Row calls(String name, String store) {
			return new Row(name, ECHO, GrpcMessage.file(GrpcMessage.rateLimitRequest(1)), 1, 0,
					List.of("spring.profiles.active=calls", "ratelimit.store=" + store, "ratelimit.deadline=1s"));
		}

	}

	/**
	 * The application of one row, in its own JVM.
	 */
	private record Server(Row row, URI server, Process process, Path log) implements AutoCloseable {

		private static final Path JAR = Path.of("benchmarks/grpc/target/grpc.jar");

		private static final Duration TIMEOUT = Duration.ofMinutes(2);

		private static final Path NOTHING = GrpcMessage.file(new byte[0]);

		static Server start(String table, Row row, RedisAddress redis) throws IOException {
			if (!Files.isReadable(JAR)) {
				throw new IllegalStateException("There is no " + JAR
						+ ": run 'mvn -pl benchmarks,benchmarks/grpc -am package -DskipTests', and this from the top of"
						+ " the project");
			}
			int port = Children.freePort();
			List<String> command = new ArrayList<>();
			command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
			command.addAll(Settings.jvmOptions("http.jvm", "-Xms512m -Xmx512m"));
			command.addAll(List.of("-jar", JAR.toString(), "--spring.grpc.server.port=" + port,
					"--ratelimit.redis.host=" + redis.host(), "--ratelimit.redis.port=" + redis.port(),
					"--ratelimit.redis.key-prefix=" + table + "-" + fileName(row)));
			row.properties().forEach((property) -> command.add("--" + property));
			Path log = Path.of(System.getProperty("java.io.tmpdir"), table + "-benchmark-" + fileName(row) + ".log");
			Process process = Children.start(new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.to(log.toFile())));
			return new Server(row, URI.create("http://127.0.0.1:" + port), process, log);
		}

		private static String fileName(Row row) {
			return row.name().replaceAll("[^A-Za-z0-9]+", "-");
		}

		URI address() {
			return this.server.resolve(this.row.path());
		}

		/**
		 * Wait until the server listens. Then send one call, which must be allowed and
		 * counted.
		 */
		void awaitReady() throws IOException, InterruptedException {
			long end = System.nanoTime() + TIMEOUT.toNanos();
			while (!Children.listens(this.server.getPort())) {
				if (!this.process.isAlive() || System.nanoTime() > end) {
					close();
					throw new IllegalStateException("The application did not start, see " + this.log);
				}
				Thread.sleep(10);
			}
			byte[] answer = H2Load.call(address(), this.row.message());
			if (this.row.path().equals(ENVOY) && !GrpcMessage.isAllowed(answer)) {
				throw new IllegalStateException("'" + this.row.name() + "' rejected a call, see " + this.log);
			}
			requireDecisions(0, 1);
		}

		/**
		 * Require that the meters have counted each call, and no rejection. The meters
		 * may also have counted calls without a response when the load generator stopped.
		 */
		void requireDecisions(long before, long calls) throws IOException, InterruptedException {
			long counted = decisions() - before;
			long least = calls * this.row.decisions();
			long most = (calls + H2Load.CONNECTIONS * H2Load.STREAMS) * this.row.decisions();
			if (counted < least || counted > most) {
				throw new IllegalStateException("'%s' counted %d decisions of %d calls, see %s"
					.formatted(this.row.name(), counted, calls, this.log));
			}
		}

		long decisions() throws IOException, InterruptedException {
			byte[] counts = H2Load.call(this.server.resolve("/bench.Service/Counts"), NOTHING);
			String[] numbers = new String(counts, StandardCharsets.US_ASCII).split(" ");
			if (!numbers[1].equals("0")) {
				throw new IllegalStateException(
						"'%s' rejected %s calls, see %s".formatted(this.row.name(), numbers[1], this.log));
			}
			return Long.parseLong(numbers[0]);
		}

		double cpuMicros() {
			return Children.cpuSeconds(this.process.toHandle()) * 1e6;
		}

		@Override
		public void close() {
			this.process.destroy();
			this.process.onExit().join();
		}

	}

}
