package dev.ratelimit.benchmarks;

import java.util.Map;

import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Results;

/**
 * A table of what buckets take, measured once: one worker after the other.
 *
 * @param layout what it looks like
 * @param command what each worker is told
 * @param rows what they run, by the names of the rows
 */
record FootprintTable(Layout layout, String command, Map<String, Assignment> rows) implements Table {

	@Override
	public Results measure(Session session) throws Exception {
		Results results = new Results();
		for (Map.Entry<String, Assignment> row : this.rows.entrySet()) {
			if (session.settings().wantsRow(row.getKey())) {
				System.err.printf("%s: %s%n", this.layout.id(), row.getKey());
				try (WorkerProcess worker = WorkerProcess.start(row.getValue(), session.redis())) {
					worker.awaitReady();
					results.add(row.getKey(), worker.ask(this.command));
				}
			}
		}
		return results;
	}

}
