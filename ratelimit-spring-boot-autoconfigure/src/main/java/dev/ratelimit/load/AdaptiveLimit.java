package dev.ratelimit.load;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Finds how many requests this instance can process at a time. By Little's law, the time
 * that requests take by the time that they would take without queueing is the number of
 * requests in flight by the number that the backend processes at once, whatever their mix
 * of routes. The limit aims at 1.5: a queue of half of what is processed. What a route
 * takes without queueing is measured by probes. Not thread-safe.
 */
final class AdaptiveLimit implements SeatLimit {

	private static final double AIM = 1.5;

	/** While no request lacks a seat, only a long queue shrinks the limit. */
	private static final double LONG_QUEUE = 3;

	private static final int WINDOW_SAMPLES = 100;

	private static final int QUIET_SAMPLES = 20;

	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

	private static final int FIRST_SAMPLES = 50;

	private static final double MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final double MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final LimitRange range;

	private final References references;

	private final RouteTimes window;

	private final ProbeSchedule schedule;

	private double limit;

	private double referenceNanos;

	private long windowSinceNanos;

	private int unknown;

	private int peak;

	private boolean lacked;

	private int longQueues;

	private boolean hasShrunk;

	private int probes;

	private @Nullable Probe probe;

	AdaptiveLimit(LimitRange range, int routes, long nowNanos) {
		this.range = range;
		this.limit = range.initial();
		this.references = new References(routes);
		this.window = new RouteTimes(routes);
		this.schedule = new ProbeSchedule(range, nowNanos);
		this.windowSinceNanos = nowNanos;
	}

	@Override
	public int seats() {
		return (this.probe != null) ? this.probe.seats() : (int) this.limit;
	}

	@Override
	public long waitNanos() {
		return (long) Math.min(Math.max(this.referenceNanos / 2, MIN_WAIT_NANOS), MAX_WAIT_NANOS);
	}

	@Override
	public int started(int inFlight, long nowNanos) {
		this.peak = Math.max(this.peak, inFlight);
		return (this.probe != null) ? this.probe.started(inFlight) : UNSTAMPED;
	}

	@Override
	public void lacked(long nowNanos) {
		this.lacked = true;
		endProbe(nowNanos);
	}

	@Override
	public void ended(int stamp, int route, long tookNanos, long nowNanos) {
		boolean counts = (this.probe != null) ? this.probe.ended(stamp) : stamp == UNSTAMPED;
		if (counts && route >= 0) {
			this.window.add(route, this.references.cut(route, tookNanos));
			this.unknown += (this.references.knows(route)) ? 0 : 1;
		}
		if (this.probe != null) {
			endProbe(nowNanos);
		}
		else {
			endWindow(nowNanos);
		}
	}

	private void endProbe(long nowNanos) {
		Probe ending = this.probe;
		if (ending == null) {
			return;
		}
		boolean done = ending.isDone(nowNanos);
		if (done || ending.isGivenUp(nowNanos)) {
			this.probe = null;
			double ratio = (done) ? this.references.teach(this.window) : 1;
			this.schedule.probed(this.limit, ratio, ending.tookNanos(nowNanos), nowNanos);
			startWindow(nowNanos);
		}
	}

	private void endWindow(long nowNanos) {
		int samples = this.window.total();
		if (samples >= FIRST_SAMPLES && this.unknown * 2 > samples) {
			this.references.teach(this.window);
			startWindow(nowNanos);
			return;
		}
		long age = nowNanos - this.windowSinceNanos;
		if ((samples >= WINDOW_SAMPLES && age >= WINDOW_NANOS) || (samples >= QUIET_SAMPLES && age >= QUIET_NANOS)) {
			adapt(this.references.ratio(this.window));
			learn(nowNanos);
			startWindow(nowNanos);
		}
	}

	private void adapt(double queue) {
		this.longQueues = (queue > AIM) ? this.longQueues + 1 : 0;
		if (this.longQueues >= 2 && (this.lacked || queue > LONG_QUEUE)) {
			this.hasShrunk = true;
			this.limit *= 1 - 0.2 * (1 - Math.max(0.5, AIM / queue));
		}
		else if (this.lacked && queue <= AIM) {
			this.limit += (this.hasShrunk) ? 0.2 * Math.sqrt(this.limit) : 0.1 * this.limit;
		}
		this.limit = this.range.within(this.limit);
	}

	private void learn(long nowNanos) {
		if (!this.lacked && this.peak <= this.limit / 2) {
			this.references.teach(this.window);
		}
		double mean = this.references.mean(this.window);
		this.referenceNanos = (mean > 0) ? mean : this.referenceNanos;
		if (this.lacked && this.schedule.isDue(this.limit, nowNanos)) {
			this.probes++;
			this.probe = new Probe(this.probes, Math.max(1, (int) this.limit / 2), this.referenceNanos, nowNanos);
		}
	}

	private void startWindow(long nowNanos) {
		this.window.clear();
		this.windowSinceNanos = nowNanos;
		this.unknown = 0;
		this.peak = 0;
		this.lacked = false;
	}

}
