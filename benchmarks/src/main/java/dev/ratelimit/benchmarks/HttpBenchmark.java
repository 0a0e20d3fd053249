package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Requests end to end: one hot caller, all allowed, on the simplest handler, without a
 * limiter, with its header fields alone, and with one; or nearly all refused. The
 * applications of a stack run side by side and take turns, so that the machine's moods
 * meet all of them.
 */
public final class HttpBenchmark {

	private final HttpSettings settings;

	private final RedisAddress address;

	private final RedisStats redis;

	private final HttpReport report;

	private HttpBenchmark(HttpSettings settings, RedisAddress address, RedisStats redis) {
		this.settings = settings;
		this.address = address;
		this.redis = redis;
		this.report = new HttpReport(System.out, settings.baseline());
	}

	public static void main(String[] args) throws Exception {
		try (RedisServer server = RedisServer.obtain(); RedisStats redis = new RedisStats(server.address())) {
			new HttpBenchmark(HttpSettings.fromSystemProperties(), server.address(), redis).run();
		}
	}

	private void run() throws IOException, InterruptedException {
		this.report.environment(this.settings, this.redis.version());
		for (HttpStack stack : this.settings.stacks()) {
			List<HttpServer> servers = new ArrayList<>();
			try {
				for (HttpRow row : this.settings.rows()) {
					servers.add(HttpServer.start(stack, row, this.address));
				}
				this.report.stack(stack, measure(stack, servers));
			}
			finally {
				servers.forEach(HttpServer::close);
			}
		}
	}

	private Results<HttpMeasurement> measure(HttpStack stack, List<HttpServer> servers)
			throws IOException, InterruptedException {
		Results<HttpMeasurement> results = new Results<>(
				servers.stream().map((server) -> server.row().name()).toList());
		for (HttpServer server : servers) {
			measure(server, this.settings.warmup());
		}
		for (int round = 0; round < this.settings.rounds(); round++) {
			// Another one goes first each round, so none always follows the same one.
			List<HttpServer> order = new ArrayList<>(servers);
			Collections.rotate(order, -round);
			for (HttpServer server : order) {
				HttpMeasurement measurement = measure(server, this.settings.measure());
				System.err.printf("%s, round %d: %s %s%n", stack, round + 1, server.row().name(), measurement);
				results.add(server.row().name(), measurement);
			}
		}
		return results;
	}

	private HttpMeasurement measure(HttpServer server, Duration time) throws IOException, InterruptedException {
		this.redis.resetCommandCounts();
		double redisMicros = this.redis.cpuMicros();
		double applicationMicros = server.cpuMicros();
		Wrk wrk = Wrk.run(server.address(), this.settings.connections(), time, this.settings.refused());
		double requests = wrk.requests();
		return new HttpMeasurement(wrk.requestsPerSecond(), wrk.p50Millis(), wrk.p99Millis(),
				(server.cpuMicros() - applicationMicros) / requests, (this.redis.cpuMicros() - redisMicros) / requests,
				this.redis.commandCounts().of("evalsha") / requests);
	}

}
