package dev.ratelimit.load;

import java.util.ArrayList;
import java.util.List;

/**
 * Simulates requests that a limit allows to a backend or sheds immediately.
 */
final class LimitSimulation {

	private final Workload workload;

	private final Backend backend;

	final SeatLimit limit;

	/** The limits at the end of each second, without probes. */
	final List<Integer> limits = new ArrayList<>();

	private final List<double[]> latencies = new ArrayList<>();

	/** The numbers of arrived, shed, and completed requests of each second. */
	final List<int[]> seconds = new ArrayList<>();

	private boolean keepsLatencies = true;

	private int inFlight;

	private double now;

	LimitSimulation(Workload workload, Backend backend, SeatLimit limit) {
		this.workload = workload;
		this.backend = backend;
		this.limit = limit;
	}

	static AdaptiveLimit adaptive() {
		return new AdaptiveLimit(LimitRange.DEFAULT, 257, 0);
	}

	void forgetLatencies() {
		this.keepsLatencies = false;
	}

	LimitSimulation run(double seconds) {
		double next = this.workload.nextArrival(0);
		double end = seconds * Workload.SECOND;
		while (Math.min(next, this.backend.nextEnd()) < end) {
			if (next <= this.backend.nextEnd()) {
				tick(next);
				arrive();
				next = this.workload.nextArrival(next);
			}
			else {
				tick(this.backend.nextEnd());
				leave(this.backend.take());
			}
		}
		return this;
	}

	private void tick(double time) {
		while (this.seconds.size() <= time / Workload.SECOND) {
			this.seconds.add(new int[3]);
			this.limits.add(this.limit.seats());
		}
		this.now = time;
	}

	private int[] second() {
		return this.seconds.get(this.seconds.size() - 1);
	}

	private void arrive() {
		second()[0]++;
		if (this.inFlight >= this.limit.seats()) {
			second()[1]++;
			this.limit.lacked((long) this.now);
			return;
		}
		this.inFlight++;
		int route = this.workload.route(this.now);
		int stamp = this.limit.started(this.inFlight, (long) this.now);
		this.backend.add(this.now, new Backend.Job(route, this.now, this.workload.service(route, this.now), stamp));
	}

	private void leave(Backend.Job job) {
		this.inFlight--;
		second()[2]++;
		double took = this.now - job.arrived;
		if (this.keepsLatencies) {
			this.latencies.add(new double[] { this.now, took });
		}
		this.limit.ended((Integer) job.seat, job.route, (long) took, (long) this.now);
	}

	double goodput(int from, int to) {
		return sum(2, from, to) / (to - from);
	}

	double shed(int from, int to) {
		return sum(1, from, to) / sum(0, from, to);
	}

	private double sum(int what, int from, int to) {
		return this.seconds.subList(from, to).stream().mapToDouble((second) -> second[what]).sum();
	}

	double p99Millis(int from, int to) {
		double[] sorted = this.latencies.stream()
			.filter((each) -> each[0] >= from * Workload.SECOND && each[0] < to * Workload.SECOND)
			.mapToDouble((each) -> each[1])
			.sorted()
			.toArray();
		return sorted[(int) (sorted.length * 0.99)] / 1e6;
	}

	int min(int from, int to) {
		return this.limits.subList(from, to).stream().mapToInt(Integer::intValue).min().orElseThrow();
	}

	int max(int from, int to) {
		return this.limits.subList(from, to).stream().mapToInt(Integer::intValue).max().orElseThrow();
	}

	double mean(int from, int to) {
		return this.limits.subList(from, to).stream().mapToInt(Integer::intValue).average().orElseThrow();
	}

}
