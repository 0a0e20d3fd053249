package dev.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Layout;
import dev.ratelimit.benchmarks.report.Metric;
import dev.ratelimit.benchmarks.report.Results;

/**
 * A table of rows that workers measure. All workers of the table run at the same time,
 * but only one of them measures at a time.
 *
 * @param layout the layout of the table
 * @param rows the rows of the table
 */
record WorkerTable(Layout layout, List<Row> rows) implements Table {

	@Override
	public Results measure(Session session) throws Exception {
		session.stats().flush();
		Map<Assignment, WorkerProcess> workers = new LinkedHashMap<>();
		try {
			List<Row> wanted = this.rows.stream().filter((row) -> session.settings().wantsRow(row.name())).toList();
			WorkerProcess.startAll(wanted.stream().map(Row::assignment).distinct().toList(), session.redis(), workers);
			return new Turns(this.layout.id(), turns(wanted, workers)).take(session.settings().decisions());
		}
		finally {
			workers.values().forEach(WorkerProcess::close);
		}
	}

	private static List<Turns.WaitResult> turns(List<Row> rows, Map<Assignment, WorkerProcess> workers) {
		List<Turns.WaitResult> turns = new ArrayList<>();
		double[] first = new double[1];
		for (Row row : rows) {
			WorkerProcess worker = WorkerProcess.of(row.assignment(), workers);
			turns.add(new Turns.WaitResult(row.name(), (ramp, time) -> {
				Load load = (row.percent() == 0) ? row.load()
						: row.load().arriving((int) (first[0] * row.percent() / 100));
				Figures figures = worker.measure(load, ramp, time);
				if (row == rows.get(0)) {
					first[0] = figures.values().get(Metric.DECISIONS);
				}
				return figures;
			}));
		}
		return turns;
	}

	/**
	 * A row of the table.
	 *
	 * @param name the name of the row
	 * @param assignment the contestant that its worker runs; rows with the same
	 * assignment share a worker
	 * @param load the clients and the keys
	 * @param percent the number of requests that arrive, in percent of the decisions of
	 * the first row in its last turn; 0 if each client waits for its decisions
	 */
	record Row(String name, Assignment assignment, Load load, int percent) {

		Row(String name, Assignment assignment, Load load) {
			this(name, assignment, load, 0);
		}

	}

}
