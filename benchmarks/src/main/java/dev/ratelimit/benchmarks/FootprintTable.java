package dev.ratelimit.benchmarks;

import java.io.IOException;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Results;

/**
 * A table of the memory of buckets, measured once.
 *
 * @param layout the layout of the table
 * @param command the command for each worker, to which the number of buckets is appended
 * @param rows the rows by name
 */
record FootprintTable(Layout layout, String command, Map<String, Row> rows) implements Table {

	@Override
	public Results measure(Session session) throws Exception {
		Results results = new Results();
		for (Map.Entry<String, Row> row : this.rows.entrySet()) {
			if (session.settings().wantsRow(row.getKey())) {
				System.err.printf("%s: %s%n", this.layout.id(), row.getKey());
				results.add(row.getKey(), measure(row.getValue(), session.redis()));
			}
		}
		return results;
	}

	// The worker ends before the next row starts, because it renews the slots that it
	// holds.
	private Figures measure(Row row, RedisAddress redis) throws IOException {
		try (WorkerProcess worker = WorkerProcess.started(row.assignment(), redis)) {
			return worker.ask(this.command + " " + row.buckets());
		}
	}

	/**
	 * A row of the table.
	 *
	 * @param assignment the contestant that its worker runs
	 * @param buckets the number of buckets that are charged, at least 1
	 */
	record Row(Assignment assignment, int buckets) {
	}

}
