package dev.ratelimit.benchmarks.openloop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import dev.ratelimit.benchmarks.Children;
import dev.ratelimit.benchmarks.openloop.Stage.Name;

/**
 * Runs all stages for one contestant.
 */
final class OverloadRun {

	/**
	 * The maximum delay of a generator without much to do, in milliseconds. If the delay
	 * is longer, the machine has other work.
	 */
	private static final double MOST_LAG = 20;

	private final Plan plan;

	private final OverloadServer server;

	// The CPU seconds of the generator and of the server, at the beginning of each stage.
	private final Map<Name, double[]> cpu = new EnumMap<>(Name.class);

	private OverloadRun(Plan plan, OverloadServer server) {
		this.plan = plan;
		this.server = server;
	}

	static Figures measure(OverloadContestant contestant, Plan plan) throws IOException, InterruptedException {
		try (OverloadServer server = OverloadServer.start(contestant, plan)) {
			Figures figures = new OverloadRun(plan, server).measure();
			require(contestant, plan, figures, server.log());
			return figures;
		}
	}

	private static void require(OverloadContestant contestant, Plan plan, Figures figures, Path log) {
		if (!plan.isQuick() && figures.of(Measure.UNLOADED_LAG) > MOST_LAG) {
			throw new IllegalStateException("The machine has other work: unloaded, the generator was late by %.1f ms"
				.formatted(figures.of(Measure.UNLOADED_LAG)));
		}
		// Quick runs are also made on busy machines, where most requests may be late.
		boolean starved = plan.isQuick() && figures.of(Measure.LATE) > 0.5;
		if (contestant.sheds() && figures.of(Measure.SHED) == 0 && !starved) {
			throw new IllegalStateException("'%s' does not do what its name says: %s, see %s"
				.formatted(contestant.name(), figures.values(), log));
		}
	}

	private Figures measure() throws IOException {
		List<Sample> open = LoadGenerator.run(this.server.address(),
				new OpenArrivals(this.plan.stages(), this.plan.capacity(), this::began));
		List<Sample> closed = (this.plan.closed().isZero()) ? List.of() : LoadGenerator.run(this.server.address(),
				new ClosedArrivals(this.plan.clients(), Plan.THINK, Mix.USUAL, this.plan.closed()));
		Figures figures = Evaluation.of(this.plan, open, closed);
		figures.values().put(Measure.GENERATOR_CORES, cores(0));
		figures.values().put(Measure.SERVER_CORES, cores(1));
		shedEarly(figures);
		return figures;
	}

	private void shedEarly(Figures figures) throws IOException {
		List<long[]> shed = this.server.shed();
		int over = this.plan.stages().stream().map(Stage::name).toList().indexOf(Name.OVER);
		if (shed.size() > over + 1) {
			long early = shed.get(over + 1)[0] - shed.get(over)[0];
			long late = shed.get(over + 1)[1] - shed.get(over)[1];
			figures.values().put(Measure.SHED_EARLY, early / (double) (early + late));
		}
	}

	private void began(Stage stage) {
		this.server.slowBy(stage.slowness());
		this.cpu.put(stage.name(),
				new double[] { Children.cpuSeconds(ProcessHandle.current()), this.server.cpuSeconds() });
	}

	private double cores(int process) {
		double[] before = this.cpu.getOrDefault(Name.OVER, new double[2]);
		double[] after = this.cpu.getOrDefault(Name.BACK, new double[2]);
		return (after[process] - before[process]) / this.plan.window(Name.OVER, List.of()).seconds();
	}

}
