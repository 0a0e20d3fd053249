package dev.ratelimit.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Results;

/**
 * A table of what buckets take, measured once.
 *
 * @param layout what it looks like
 * @param command what each worker is told
 * @param rows what they run, by the names of the rows
 */
record FootprintTable(Layout layout, String command, Map<String, Assignment> rows) implements Table {

	@Override
	public Results measure(Session session) throws Exception {
		Results results = new Results();
		List<String> names = this.rows.keySet().stream().filter(session.settings()::wantsRow).toList();
		Map<Assignment, WorkerProcess> workers = new LinkedHashMap<>();
		try {
			WorkerProcess.startAll(names.stream().map(this.rows::get).toList(), session.redis(), workers);
			for (String name : names) {
				System.err.printf("%s: %s%n", this.layout.id(), name);
				results.add(name, WorkerProcess.of(this.rows.get(name), workers).ask(this.command));
			}
		}
		finally {
			workers.values().forEach(WorkerProcess::close);
		}
		return results;
	}

}
