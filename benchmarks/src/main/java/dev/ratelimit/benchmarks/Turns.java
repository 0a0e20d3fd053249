package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Results;

/**
 * Measures rows in turns, so that changes in the speed of the machine affect all rows.
 *
 * @param table the name of the table, for the log
 * @param turns the rows, in the order of the table
 */
record Turns(String table, List<WaitResult> turns) {

	Results take(Pace pace) throws Exception {
		Results results = new Results();
		if (!pace.warmup().isZero()) {
			for (WaitResult turn : this.turns) {
				log("warm-up", turn);
				turn.measuring().measure(pace.ramp(), pace.warmup());
			}
		}
		List<List<Figures>> figures = new ArrayList<>();
		this.turns.forEach((turn) -> figures.add(new ArrayList<>()));
		for (int round = 0; round < pace.rounds(); round++) {
			for (WaitResult turn : orderIn(round)) {
				log("round " + (round + 1), turn);
				figures.get(this.turns.indexOf(turn)).add(turn.measuring().measure(pace.ramp(), pace.measure()));
			}
		}
		for (int i = 0; i < this.turns.size(); i++) {
			String row = this.turns.get(i).row();
			figures.get(i).forEach((each) -> results.add(row, each));
		}
		return results;
	}

	/**
	 * Return the order of the rows in a round. Each round begins with another row, so
	 * that no row always follows the same row.
	 */
	private List<WaitResult> orderIn(int round) {
		List<WaitResult> order = new ArrayList<>(this.turns);
		Collections.rotate(order, -round);
		return order;
	}

	private void log(String what, WaitResult turn) {
		System.err.printf("%s, %s: %s%n", this.table, what, turn.row());
	}

	/**
	 * A row, and its measurement.
	 */
	record WaitResult(String row, Measuring measuring) {

	}

	/**
	 * Measures a row once.
	 */
	interface Measuring {

		Figures measure(Duration ramp, Duration time) throws Exception;

	}

}
