package dev.ratelimit.benchmarks.openloop;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Requests that arrive at random, at the rate of the stage, regardless of the outcome of
 * earlier requests: users do not wait for each other.
 */
final class OpenArrivals implements Arrivals {

	private final List<Stage> stages;

	private final double capacity;

	private final Consumer<Stage> listener;

	private final Random random = new Random(42);

	private int stage = -1;

	private long stageEnd;

	private long due;

	/**
	 * Create arrivals.
	 * @param stages the stages, one after the other
	 * @param capacity the number of requests per second at a load of 1
	 * @param listener called with each stage before its first request
	 */
	OpenArrivals(List<Stage> stages, double capacity, Consumer<Stage> listener) {
		this.stages = List.copyOf(stages);
		this.capacity = capacity;
		this.listener = listener;
		next();
	}

	@Override
	public long nextDue() {
		return this.due;
	}

	@Override
	public Arrival take() {
		Mix mix = this.stages.get(this.stage).mix();
		Arrival arrival = new Arrival(this.due, mix.level(this.random), mix.tenant(this.random));
		next();
		return arrival;
	}

	// The exponential distribution has no memory, so the rest of a gap at the end of a
	// stage is drawn again, at the rate of the next stage.
	private void next() {
		if (this.stage >= 0 && gapEndsInStage()) {
			return;
		}
		while (++this.stage < this.stages.size()) {
			this.due = this.stageEnd;
			this.stageEnd += this.stages.get(this.stage).length().toNanos();
			this.listener.accept(this.stages.get(this.stage));
			if (gapEndsInStage()) {
				return;
			}
		}
		this.due = Long.MAX_VALUE;
	}

	private boolean gapEndsInStage() {
		double rate = this.stages.get(this.stage).load() * this.capacity;
		if (rate > 0) {
			this.due += (long) (-Math.log(1 - this.random.nextDouble()) / rate * 1e9);
		}
		return rate > 0 && this.due < this.stageEnd;
	}

	@Override
	public void ended(long at) {
		// Open arrivals do not wait for responses.
	}

	@Override
	public boolean isOver(long now) {
		return this.due == Long.MAX_VALUE;
	}

}
