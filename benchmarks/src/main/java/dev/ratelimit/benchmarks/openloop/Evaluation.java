package dev.ratelimit.benchmarks.openloop;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.ratelimit.benchmarks.openloop.Stage.Name;

/**
 * Computes figures from requests. A stage that was not part of the run has no figure.
 */
final class Evaluation {

	/** The share of the capacity that a server must reach to be settled. */
	private static final double SETTLED = 0.9;

	private final Plan plan;

	private final List<Sample> samples;

	private final Map<Measure, Double> values = new EnumMap<>(Measure.class);

	private Evaluation(Plan plan, List<Sample> samples) {
		this.plan = plan;
		this.samples = samples;
	}

	static Figures of(Plan plan, List<Sample> open, List<Sample> closed) {
		Evaluation evaluation = new Evaluation(plan, open);
		evaluation.overload();
		evaluation.change();
		evaluation.fairness();
		evaluation.closed(closed);
		return new Figures(evaluation.values, evaluation.curves());
	}

	private void overload() {
		double unloaded = stage(Name.UNLOADED).p99();
		// The first second is omitted, because it is the time of the step.
		Window over = stage(Name.OVER).from(1);
		for (Level level : Level.values()) {
			put(Measure.valueOf(level.name()), of(over, level).share(Outcome.GOOD));
		}
		put(Measure.GOODPUT, over.goodput() / this.plan.capacity());
		put(Measure.UNLOADED_P99, unloaded);
		put(Measure.UNLOADED_LAG, stage(Name.UNLOADED).lagP99());
		put(Measure.P99, over.p99());
		put(Measure.P99_RATIO, over.p99() / unloaded);
		put(Measure.SHED, over.share(Outcome.SHED));
		put(Measure.LATE, over.share(Outcome.LATE) + over.share(Outcome.FAILED));
		put(Measure.GENERATOR_LAG, over.lagP99());
	}

	private void change() {
		put(Measure.BELOW_LOST, stage(Name.BELOW).lost());
		put(Measure.STEP_SECONDS, stage(Name.OVER).settledAfter(0.5, SETTLED * this.plan.capacity()));
		if (stage(Name.BACK).seconds() > 2) {
			put(Measure.BACK_LOST, stage(Name.BACK).from(2).lost());
		}
		if (this.plan.has(Name.SLOWER)) {
			put(Measure.SLOWER_SECONDS, stage(Name.SLOWER).settledAfter(2, SETTLED * this.plan.capacity() / 2));
		}
	}

	private void fairness() {
		if (this.plan.has(Name.MOSTLY_HIGH)) {
			Window flood = stage(Name.MOSTLY_HIGH).from(1);
			put(Measure.FLOOD_NORMAL, of(flood, Level.NORMAL).share(Outcome.GOOD));
			put(Measure.FLOOD_LOW, of(flood, Level.LOW).share(Outcome.GOOD));
		}
		if (this.plan.has(Name.NOISY)) {
			Window others = stage(Name.NOISY).from(1).only((sample) -> sample.tenant() != 0);
			put(Measure.NOISY_P99_RATIO, others.p99() / stage(Name.UNLOADED).p99());
			put(Measure.NOISY_LOST, others.lost());
		}
	}

	private void closed(List<Sample> closed) {
		if (!closed.isEmpty()) {
			Window window = Window.of(closed, 0, this.plan.closed().toNanos()).from(1);
			put(Measure.CLOSED_GOODPUT, window.goodput() / this.plan.capacity());
			put(Measure.CLOSED_P99, window.p99());
		}
	}

	private Map<Level, List<Double>> curves() {
		Window run = new Window(this.samples, 0, this.plan.nanos());
		Map<Level, List<Double>> curves = new EnumMap<>(Level.class);
		for (Level level : Level.values()) {
			curves.put(level, curve(of(run, level)));
		}
		return curves;
	}

	private List<Double> curve(Window window) {
		return IntStream.range(0, (int) Math.round(window.seconds() / Figures.STEP))
			.mapToObj((part) -> window.between(part * Figures.STEP, (part + 1) * Figures.STEP).goodput()
					/ this.plan.capacity())
			.toList();
	}

	private Window stage(Name name) {
		return this.plan.window(name, this.samples);
	}

	private static Window of(Window window, Level level) {
		return window.only((sample) -> sample.level() == level);
	}

	private void put(Measure measure, double value) {
		this.values.put(measure, value);
	}

}
