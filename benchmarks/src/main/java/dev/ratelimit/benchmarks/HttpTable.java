package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;
import dev.ratelimit.benchmarks.report.Results;

/**
 * A table of HTTP requests end to end, from one hot client to the simplest handler. All
 * applications of the table run at the same time, but only one of them is called at a
 * time.
 *
 * @param layout the layout of the table
 * @param stack the web stack
 * @param rows the rows, each with its limiter
 * @param rejected the limit if nearly all requests are rejected, otherwise 0
 */
record HttpTable(Layout layout, HttpStack stack, List<HttpRow> rows, int rejected) implements Table {

	@Override
	public Results measure(Session session) throws Exception {
		session.stats().flush();
		List<HttpServer> servers = new ArrayList<>();
		try {
			start(servers, session);
			return new Turns(this.layout.id(), turns(servers, session)).take(session.settings().http());
		}
		finally {
			servers.forEach(HttpServer::close);
		}
	}

	// Start as many applications at a time as there are cores.
	private void start(List<HttpServer> servers, Session session) throws IOException, InterruptedException {
		int ready = 0;
		for (HttpRow row : this.rows) {
			if (session.settings().wantsRow(row.name())) {
				servers.add(HttpServer.start(this.stack, row, session.redis()));
			}
			if (servers.size() - ready == Runtime.getRuntime().availableProcessors()) {
				ready = awaitReady(servers, ready);
			}
		}
		awaitReady(servers, ready);
	}

	private int awaitReady(List<HttpServer> servers, int first) throws IOException, InterruptedException {
		for (HttpServer server : servers.subList(first, servers.size())) {
			server.awaitReady();
			if (this.rejected > 0) {
				server.requireRejections(this.rejected);
			}
		}
		return servers.size();
	}

	private List<Turns.WaitResult> turns(List<HttpServer> servers, Session session) {
		return servers.stream()
			.map((server) -> new Turns.WaitResult(server.row().name(), (ramp, time) -> measure(server, session, time)))
			.toList();
	}

	private Figures measure(HttpServer server, Session session, Duration time)
			throws IOException, InterruptedException {
		RedisStats redis = session.stats();
		redis.resetCommandCounts();
		double redisMicros = redis.cpuMicros();
		double applicationMicros = server.cpuMicros();
		Wrk wrk = Wrk.run(server.address(), session.settings().connections(), time, this.rejected > 0);
		double requests = wrk.requests();
		Map<Metric, Double> values = new EnumMap<>(Metric.class);
		values.put(Metric.REQUESTS, wrk.requestsPerSecond());
		values.put(Metric.P50, wrk.p50Millis());
		values.put(Metric.P99, wrk.p99Millis());
		values.put(Metric.CLIENT_MICROS, (server.cpuMicros() - applicationMicros) / requests);
		values.put(Metric.REDIS_MICROS, (redis.cpuMicros() - redisMicros) / requests);
		values.put(Metric.COMMANDS, redis.commandCounts().all() / requests);
		return new Figures(values);
	}

}
