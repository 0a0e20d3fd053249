package dev.ratelimit.load;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Estimates the number of requests that this instance can process at a time. By Little's
 * law, the ratio of the time that requests take to the time that they would take without
 * queueing is the ratio of the requests in flight to the requests that the backend
 * processes at once, regardless of their mix of routes. The limit aims at a ratio of 1.5:
 * a queue of half of the requests that are processed. Probes measure the time that a
 * route takes without queueing. Not thread-safe.
 */
final class AdaptiveLimit implements SeatLimit {

	private static final double TARGET_QUEUE = 1.5;

	/** The maximum ratio, with all seats taken, at which the limit grows. */
	private static final double MAX_QUEUE_FOR_GROWTH = 1.35;

	/**
	 * The maximum ratio at which the backend was idle at times, so that requests lacked
	 * seats only in bursts.
	 */
	private static final double SHORT_QUEUE = 1.15;

	/**
	 * The number of windows with a lack of seats before a probe. A short lack does not
	 * justify the cost of a probe.
	 */
	private static final int PROBE_WINDOWS = 3;

	/** The minimum ratio at which the limit shrinks while no request lacks a seat. */
	private static final double LONG_QUEUE = 3;

	private static final int WINDOW_SAMPLES = 100;

	private static final int QUIET_SAMPLES = 20;

	private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long QUIET_WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

	private static final int FIRST_SAMPLES = 50;

	/**
	 * The wait for a seat, in references: sufficient for some slow requests, and for the
	 * start of a probe.
	 */
	private static final int WAIT_REFERENCES = 2;

	private static final double MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private static final double MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

	private final LimitRange range;

	private final References references;

	private final RouteTimes window;

	private final ProbeSchedule schedule;

	private final MeanInFlight inFlight = new MeanInFlight();

	private double limit;

	private double referenceNanos;

	private long windowSinceNanos;

	private int unknown;

	private int peak;

	private boolean lacked;

	private int lackedWindows;

	private int longQueues;

	private boolean hasShrunk;

	private int probes = 1;

	private @Nullable Probe probe;

	AdaptiveLimit(LimitRange range, int routes, long nowNanos) {
		this.range = range;
		this.limit = range.initial();
		this.references = new References(routes);
		this.window = new RouteTimes(routes);
		this.schedule = new ProbeSchedule(range, nowNanos);
		this.probe = new Probe(this.probes, range.initial(), FIRST_SAMPLES, 0, nowNanos);
		this.windowSinceNanos = nowNanos;
	}

	@Override
	public int seats() {
		return (this.probe != null) ? this.probe.seats() : (int) this.limit;
	}

	@Override
	public long waitNanos() {
		return (long) Math.min(Math.max(WAIT_REFERENCES * this.referenceNanos, MIN_WAIT_NANOS), MAX_WAIT_NANOS);
	}

	@Override
	public int started(int inFlight, long nowNanos) {
		this.peak = Math.max(this.peak, inFlight);
		this.inFlight.is(inFlight, nowNanos);
		return (this.probe != null) ? this.probe.started(inFlight) : UNSTAMPED;
	}

	@Override
	public void lacked(long nowNanos) {
		this.lacked = true;
		endProbe(nowNanos);
	}

	@Override
	public void ended(int stamp, int route, long tookNanos, long nowNanos) {
		this.inFlight.less(nowNanos);
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
		if ((samples >= WINDOW_SAMPLES && age >= WINDOW_NANOS)
				|| (samples >= QUIET_SAMPLES && age >= QUIET_WINDOW_NANOS)) {
			adapt(this.references.ratio(this.window), this.inFlight.mean(nowNanos));
			learn(nowNanos);
			startWindow(nowNanos);
		}
	}

	private void adapt(double queue, double inFlight) {
		this.longQueues = (queue > TARGET_QUEUE) ? this.longQueues + 1 : 0;
		if (this.longQueues >= 2 && (this.lacked || queue > LONG_QUEUE)) {
			this.hasShrunk = true;
			this.limit *= 1 - 0.2 * (1 - Math.max(0.5, TARGET_QUEUE / queue));
		}
		else if (this.lacked && (queue <= SHORT_QUEUE || queue * this.limit <= MAX_QUEUE_FOR_GROWTH * inFlight)) {
			double step = 0.2 * Math.sqrt(this.limit);
			this.limit += (this.hasShrunk) ? step
					: Math.max(step, (Math.min(TARGET_QUEUE, TARGET_QUEUE / queue) - 1) * this.limit);
		}
		this.limit = this.range.within(this.limit);
	}

	private void learn(long nowNanos) {
		this.lackedWindows = (this.lacked) ? this.lackedWindows + 1 : 0;
		if (!this.lacked && this.peak <= this.limit / 2) {
			this.references.teach(this.window);
		}
		double mean = this.references.mean(this.window);
		this.referenceNanos = (mean > 0) ? mean : this.referenceNanos;
		if (this.lackedWindows >= PROBE_WINDOWS && this.schedule.isDue(this.limit, nowNanos)) {
			this.probes++;
			this.probe = new Probe(this.probes, Math.max(1, (int) this.limit / 2), WINDOW_SAMPLES, this.referenceNanos,
					nowNanos);
		}
	}

	private void startWindow(long nowNanos) {
		this.window.clear();
		this.inFlight.startWindow(nowNanos);
		this.windowSinceNanos = nowNanos;
		this.unknown = 0;
		this.peak = 0;
		this.lacked = false;
	}

	/**
	 * A measurement of requests while only half of the seats are available, so that no
	 * requests queue in the backend. Not thread-safe.
	 */
	private static final class Probe {

		private static final int MIN_ENDED = 20;

		/**
		 * The part of the measured requests that must have ended for the end of a long
		 * probe, so that requests that hang do not block it.
		 */
		private static final double MIN_ENDED_PART = 0.9;

		private static final double MIN_NANOS = TimeUnit.SECONDS.toNanos(1);

		private static final int REFERENCES = 5;

		private static final int GIVE_UP = 4;

		private final int number;

		private final int seats;

		/**
		 * The number of requests to measure. The probe measures the first requests that
		 * start, and waits for all of them, because the requests that end first are
		 * shorter than the mean.
		 */
		private final int enough;

		private final long sinceNanos;

		private final double timeoutNanos;

		private int started;

		private int ended;

		Probe(int number, int seats, int enough, double referenceNanos, long nowNanos) {
			this.number = number;
			this.seats = seats;
			this.enough = enough;
			this.sinceNanos = nowNanos;
			this.timeoutNanos = Math.max(MIN_NANOS, REFERENCES * referenceNanos);
		}

		int seats() {
			return this.seats;
		}

		int started(int inFlight) {
			if (inFlight > this.seats || this.started == this.enough) {
				return SeatLimit.UNSTAMPED;
			}
			this.started++;
			return this.number;
		}

		boolean ended(int stamp) {
			if (stamp != this.number) {
				return false;
			}
			this.ended++;
			return true;
		}

		boolean isDone(long nowNanos) {
			return this.ended >= this.enough || (tookNanos(nowNanos) > this.timeoutNanos && this.ended >= MIN_ENDED
					&& this.ended >= MIN_ENDED_PART * this.started);
		}

		long tookNanos(long nowNanos) {
			return nowNanos - this.sinceNanos;
		}

		boolean isGivenUp(long nowNanos) {
			return tookNanos(nowNanos) > GIVE_UP * this.timeoutNanos;
		}

	}

	/**
	 * Determines the time of the next probe: soon after changes of the limit, and rarely
	 * while the limit is steady. Not thread-safe.
	 */
	private static final class ProbeSchedule {

		private static final long MIN_NANOS = TimeUnit.SECONDS.toNanos(2);

		private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

		/**
		 * The maximum interval between probes, in durations of a probe, if that is more
		 * than {@link #MAX_NANOS}: a probe halves the seats, and slow backends make it
		 * long.
		 */
		private static final int MAX_INTERVAL_PROBES = 5;

		private static final double MIN_STEADY_CHANGE = 0.7;

		private static final double MAX_STEADY_CHANGE = 1.4;

		private static final double FALL_FACTOR = 0.6;

		private static final int MAX_LOWEST_WINDOWS = 5;

		private final LimitRange range;

		private long lastNanos;

		private long intervalNanos = MIN_NANOS;

		private double lastLimit;

		private int lowest;

		ProbeSchedule(LimitRange range, long nowNanos) {
			this.range = range;
			this.lastNanos = nowNanos;
			this.lastLimit = range.initial();
		}

		/**
		 * Return whether a probe is due at the end of a window.
		 * @param limit the limit
		 * @param nowNanos the time
		 * @return whether to probe now
		 */
		boolean isDue(double limit, long nowNanos) {
			this.lowest = (limit <= this.range.min()) ? this.lowest + 1 : 0;
			long interval = (isSteady(limit)) ? this.intervalNanos : MIN_NANOS;
			return limit < FALL_FACTOR * this.lastLimit || this.lowest >= MAX_LOWEST_WINDOWS
					|| nowNanos - this.lastNanos >= interval;
		}

		/**
		 * Record that a probe has ended.
		 * @param limit the limit
		 * @param ratio the time that requests took, divided by their references
		 * @param tookNanos the duration of the probe
		 * @param nowNanos the time
		 */
		void probed(double limit, double ratio, long tookNanos, long nowNanos) {
			boolean steady = isSteady(limit) && References.isSmall(ratio);
			this.intervalNanos = (steady)
					? Math.min(Math.max(MAX_NANOS, MAX_INTERVAL_PROBES * tookNanos), this.intervalNanos * 2)
					: MIN_NANOS;
			this.lastNanos = nowNanos;
			this.lastLimit = limit;
			this.lowest = 0;
		}

		private boolean isSteady(double limit) {
			double change = limit / this.lastLimit;
			return change >= MIN_STEADY_CHANGE && change <= MAX_STEADY_CHANGE;
		}

	}

}
