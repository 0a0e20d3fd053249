package dev.ratelimit.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.ratelimit.benchmarks.report.Figures;
import dev.ratelimit.benchmarks.report.Results;

/**
 * Measures rows in turns, so that the machine's moods meet all of them.
 *
 * @param table the table's name, for the log
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
	 * Another row goes first each round, so none always follows the same one.
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
	 * A row, and how it is measured.
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
