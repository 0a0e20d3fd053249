package dev.ratelimit.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;

import dev.ratelimit.Criticality.Level;

/**
 * Simulates requests that a guard allows to a backend, each after its check.
 */
final class GuardSimulation {

	final LoadGuard guard;

	private final Workload workload;

	private final Backend backend;

	private final PriorityQueue<Waiter> waiters = new PriorityQueue<>(
			Comparator.comparingDouble((waiter) -> waiter.until));

	final List<Request> requests = new ArrayList<>();

	/** The limits, recorded once per second. */
	final List<Integer> limits = new ArrayList<>();

	/**
	 * The shares of the levels, by the time in seconds; if empty, all requests have the
	 * normal level.
	 */
	DoubleUnaryOperator[] shares = {};

	/** The share of the requests that come from the noisy flow. */
	double noisy;

	int flows = 10;

	private double now;

	GuardSimulation(Workload workload, Backend backend, LoadSettings settings) {
		this.workload = workload;
		this.backend = backend;
		this.guard = new LoadGuard(settings, 0);
	}

	GuardSimulation run(double seconds) {
		double next = this.workload.nextArrival(0);
		double end = seconds * Workload.SECOND;
		while (true) {
			double leaves = this.backend.nextEnd();
			double expires = (this.waiters.isEmpty()) ? Double.POSITIVE_INFINITY : this.waiters.peek().until;
			double time = Math.min(next, Math.min(leaves, expires));
			if (time >= end) {
				return this;
			}
			tick(time);
			if (time == leaves) {
				leave(this.backend.take());
			}
			else if (time == expires) {
				this.guard.expire(this.waiters.remove().seat);
			}
			else {
				arrive();
				next = this.workload.nextArrival(next);
			}
		}
	}

	private void tick(double time) {
		while (this.limits.size() <= time / Workload.SECOND) {
			this.limits.add(this.guard.limit());
		}
		this.now = time;
	}

	private Level level() {
		double chance = this.workload.random.nextDouble();
		for (int i = 0; i < this.shares.length; i++) {
			chance -= this.shares[i].applyAsDouble(this.now / Workload.SECOND);
			if (chance < 0) {
				return Level.values()[i];
			}
		}
		return Level.NORMAL;
	}

	private String flow() {
		if (this.workload.random.nextDouble() < this.noisy) {
			return "noisy";
		}
		return "flow" + this.workload.random.nextInt(this.flows);
	}

	private void arrive() {
		int route = this.workload.route(this.now);
		Request request = new Request(this.now, level(), flow(), route);
		this.requests.add(request);
		if (this.guard.sheds(request.level, request.flow, (long) this.now)) {
			request.shed = true;
			return;
		}
		Seat seat = this.guard.seat(new Seat(request.level, request.flow, (long) this.now));
		if (seat.isWaiting()) {
			this.waiters.add(new Waiter(this.now + this.guard.maxWaitNanos(), seat));
		}
		seat.decided().thenAccept((decided) -> decided(request, decided));
	}

	private void decided(Request request, Seat seat) {
		if (seat.isShed()) {
			request.shedLate = true;
			return;
		}
		double service = this.workload.service(request.route, this.now);
		this.backend.add(this.now, new Backend.Job(request.route, this.now, service, new Allowed(request, seat)));
	}

	private void leave(Backend.Job job) {
		Allowed allowed = (Allowed) job.seat;
		allowed.request.took = this.now - allowed.request.arrived;
		allowed.request.ended = this.now;
		this.guard.leave(allowed.seat, allowed.request.route, (long) this.now);
	}

	List<Request> arrived(int from, int to, Predicate<Request> which) {
		return this.requests.stream()
			.filter((request) -> request.arrived >= from * Workload.SECOND && request.arrived < to * Workload.SECOND)
			.filter(which)
			.toList();
	}

	double served(int from, int to, Predicate<Request> which) {
		return arrived(from, to, which).stream().mapToInt((request) -> (request.ended > 0) ? 1 : 0).average().orElse(1);
	}

	double shed(int from, int to, Predicate<Request> which) {
		return arrived(from, to, which).stream()
			.mapToInt((request) -> (request.shed || request.shedLate) ? 1 : 0)
			.average()
			.orElse(0);
	}

	double goodput(int from, int to) {
		return this.requests.stream()
			.filter((request) -> request.ended >= from * Workload.SECOND && request.ended < to * Workload.SECOND)
			.filter((request) -> request.took <= Workload.SECOND)
			.count() / (double) (to - from);
	}

	double shedByCheck(int from, int to) {
		return arrived(from, to, (request) -> request.shed || request.shedLate).stream()
			.mapToInt((request) -> (request.shed) ? 1 : 0)
			.average()
			.orElse(1);
	}

	double p99Millis(int from, int to, Predicate<Request> which) {
		double[] sorted = arrived(from, to, which).stream()
			.filter((request) -> request.ended > 0)
			.mapToDouble((request) -> request.took)
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

	/** A request and its result. */
	static final class Request {

		final double arrived;

		final Level level;

		final String flow;

		final int route;

		boolean shed;

		boolean shedLate;

		double ended;

		double took;

		Request(double arrived, Level level, String flow, int route) {
			this.arrived = arrived;
			this.level = level;
			this.flow = flow;
			this.route = route;
		}

	}

	private record Waiter(double until, Seat seat) {
	}

	private record Allowed(Request request, Seat seat) {
	}

}
