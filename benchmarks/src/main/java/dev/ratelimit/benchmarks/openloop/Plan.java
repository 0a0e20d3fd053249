package dev.ratelimit.benchmarks.openloop;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.benchmarks.openloop.Stage.Name;

/**
 * The stages of a run, and their backend.
 *
 * @param slots the number of requests that the backend processes at the same time
 * @param stages the stages of open arrivals, one after the other
 * @param closed the duration of the closed arrivals that follow
 * @param clients the number of clients of the closed arrivals
 */
record Plan(int slots, List<Stage> stages, Duration closed, int clients) {

	static final Duration THINK = Duration.ofMillis(100);

	static final double MEDIAN_SECONDS = 0.020;

	static final double SIGMA = 0.5;

	private static final double IDLE = 0.01;

	private static final double HALF = 0.5;

	private static final double BELOW = 0.8;

	private static final double OVER = 3;

	static Plan full(int slots) {
		return new Plan(slots,
				List.of(Stage.of(Name.WARM_UP, 9, BELOW), Stage.of(Name.WARM_UP, 0.7, OVER),
						Stage.of(Name.WARM_UP, 4.3, IDLE), Stage.of(Name.UNLOADED, 5, HALF),
						Stage.of(Name.BELOW, 5, BELOW), Stage.of(Name.OVER, 10, OVER), Stage.of(Name.BACK, 6, BELOW),
						Stage.of(Name.MOSTLY_HIGH, 6, OVER, Mix.MOSTLY_HIGH), Stage.of(Name.WARM_UP, 2, HALF),
						Stage.of(Name.NOISY, 8, OVER, Mix.NOISY_TENANT), Stage.of(Name.WARM_UP, 2, HALF),
						Stage.of(Name.WARM_UP, 3, OVER), Stage.of(Name.SLOWER, 14, OVER).slower(2),
						Stage.of(Name.WARM_UP, 7, IDLE)),
				Duration.ofSeconds(6), (int) (OVER * THINK.toMillis() / 1000.0 * capacity(slots)));
	}

	/**
	 * Return a plan that only shows that everything runs, on a server that is not warm.
	 */
	static Plan quick(int slots) {
		return new Plan(slots,
				List.of(Stage.of(Name.WARM_UP, 2, BELOW), Stage.of(Name.UNLOADED, 1, HALF),
						Stage.of(Name.BELOW, 1, BELOW), Stage.of(Name.OVER, 3, OVER), Stage.of(Name.BACK, 1, BELOW)),
				Duration.ZERO, 0);
	}

	/**
	 * Return this plan with shorter stages.
	 * @param part the factor for the lengths of all stages
	 */
	Plan shortened(double part) {
		return new Plan(this.slots, this.stages.stream().map((stage) -> stage.shortened(part)).toList(),
				Duration.ofMillis((long) (this.closed.toMillis() * part)), this.clients);
	}

	/**
	 * Return the capacity of the backend, in requests per second.
	 */
	double capacity() {
		return capacity(this.slots);
	}

	private static double capacity(int slots) {
		return slots / (MEDIAN_SECONDS * Math.exp(SIGMA * SIGMA / 2));
	}

	/**
	 * Return the requests of a stage.
	 */
	Window window(Name name, List<Sample> samples) {
		return Window.of(samples, start(name), start(name) + length(name));
	}

	/**
	 * Return the duration of the open arrivals.
	 */
	long nanos() {
		return this.stages.stream().mapToLong(Plan::nanos).sum();
	}

	boolean isQuick() {
		return this.closed.isZero();
	}

	boolean has(Name name) {
		return this.stages.stream().anyMatch((stage) -> stage.name() == name);
	}

	private long start(Name name) {
		return this.stages.stream().takeWhile((stage) -> stage.name() != name).mapToLong(Plan::nanos).sum();
	}

	private long length(Name name) {
		return this.stages.stream().filter((stage) -> stage.name() == name).mapToLong(Plan::nanos).sum();
	}

	private static long nanos(Stage stage) {
		return stage.length().toNanos();
	}

}
