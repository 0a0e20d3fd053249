package dev.ratelimit.benchmarks;

import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Comparison;
import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;
import dev.ratelimit.benchmarks.report.Results;

/**
 * The table of the time from the start of the process of an application to its first
 * response.
 */
record StartupTable(Layout layout, List<HttpRow> rows) implements Table {

	static StartupTable create() {
		Layout layout = new Layout("startup", "Start of a servlet application, in memory", List.of(Metric.STARTUP),
				List.of(Comparison.more("more than with no limiter, s", Metric.STARTUP, HttpRow.NONE, (row) -> 1)),
				"this library");
		return new StartupTable(layout,
				List.of(HttpRow.none(), HttpTables.withRules(1, false), HttpTables.withRules(1_000, false)));
	}

	@Override
	public Results measure(Session session) throws Exception {
		Pace pace = session.settings().http();
		Pace starts = new Pace(java.time.Duration.ZERO, pace.ramp(), pace.measure(), Math.min(5, pace.rounds()));
		return new Turns(this.layout.id(),
				this.rows.stream()
					.filter((row) -> session.settings().wantsRow(row.name()))
					.map((row) -> new Turns.WaitResult(row.name(), (ramp, time) -> start(row, session)))
					.toList())
			.take(starts);
	}

	private static Figures start(HttpRow row, Session session) throws Exception {
		long startedAt = System.nanoTime();
		try (HttpServer server = HttpServer.start(HttpStack.SERVLET, row, session.redis())) {
			server.awaitReady();
			return new Figures(Map.of(Metric.STARTUP, (System.nanoTime() - startedAt) / 1e9));
		}
	}

}
