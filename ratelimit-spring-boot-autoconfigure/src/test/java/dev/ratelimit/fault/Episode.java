package dev.ratelimit.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A load before, during, and after a fault, and its results.
 */
final class Episode {

	private static final Duration NOTICING = Duration.ofMillis(250);

	private static final int STEPS_OF_RECOVERY = 3;

	/** The number of consecutive responses that Redis must count. */
	private static final int SURE = 5;

	private final HttpLoad load;

	private final long strikeNanos;

	private final long healNanos;

	private long recoveredNanos;

	Episode(HttpLoad load, long strikeNanos, long healNanos) {
		this.load = load;
		this.strikeNanos = strikeNanos;
		this.healNanos = healNanos;
	}

	/**
	 * Wait until Redis counts requests again.
	 */
	void awaitRecovery(Duration most) {
		Awaitility.await().pollInterval(Duration.ofMillis(10)).atMost(most).until(this::recovered);
	}

	private boolean recovered() {
		List<Sample> open = this.load
			.samples((sample) -> sample.target() == Target.OPEN && sample.sentNanos() - this.healNanos >= 0)
			.stream()
			.sorted((one, other) -> Long.signum(one.sentNanos() - other.sentNanos()))
			.toList();
		int in = 0;
		for (int i = 0; i < open.size(); i++) {
			in = (open.get(i).counted()) ? in + 1 : 0;
			if (in == SURE) {
				this.recoveredNanos = open.get(i - SURE + 1).sentNanos();
				return true;
			}
		}
		return false;
	}

	Duration recovery() {
		return Duration.ofNanos(this.recoveredNanos - this.healNanos);
	}

	/**
	 * Return the number of failures that are not rejections of a rule. A rule that fails
	 * closed may reject uncounted requests at any time.
	 */
	int unexpected() {
		return (int) failures().count();
	}

	long allowed(Target target) {
		return this.load.samples((sample) -> sample.target() == target && sample.allowed()).size();
	}

	/**
	 * Return the number of allowed requests for each target.
	 */
	Map<Target, Long> allowed() {
		return this.load.samples(Sample::allowed)
			.stream()
			.collect(Collectors.groupingBy(Sample::target, TreeMap::new, Collectors.counting()));
	}

	List<Sample> during() {
		return this.load.between(this.strikeNanos, this.healNanos);
	}

	List<Sample> before() {
		return this.load.between(this.strikeNanos - Duration.ofMillis(600).toNanos(), this.strikeNanos);
	}

	double addedP99Millis() {
		return p99Millis(during()) - p99Millis(before());
	}

	private static double p99Millis(List<Sample> samples) {
		return HttpLoad.waitMillis(samples.stream().filter(Sample::limited).toList(), 0.99);
	}

	/**
	 * Return the maximum wait of requests without a rule during the fault.
	 */
	double longestFreeMillis() {
		return HttpLoad.waitMillis(during().stream().filter((sample) -> !sample.limited()).toList(), 1);
	}

	/**
	 * Return the maximum recovery time: two probe intervals, the time to notice the
	 * recovery, and the delay that a busy machine adds to the probe, to the new
	 * connection, and to the first call.
	 */
	Duration longestRecovery() {
		return Instance.PROBE_INTERVAL.multipliedBy(2)
			.plus(NOTICING)
			.plusMillis(Math.round(STEPS_OF_RECOVERY * longestFreeMillis()));
	}

	/**
	 * Return the number of requests that rules with {@code failure: open} and
	 * {@code local} allowed beyond their limits. The store and this instance may each
	 * allow the limit.
	 * @param stores the number of times that a store started with full buckets
	 */
	long overAllowedHere(int stores) {
		return Stream.of(Target.BOUNDED, Target.LOCAL)
			.mapToLong((target) -> Math.max(0, allowed(target) - (stores + 1) * Target.SMALL_LIMIT))
			.sum();
	}

	FaultRow row(String name, long overAllowed) {
		return new FaultRow(name, this.load.samples().size(), unexpected(), overAllowed, addedP99Millis(),
				recovery().toMillis());
	}

	/**
	 * Return the failed requests, for error messages.
	 */
	Stream<Sample> failures() {
		return this.load.samples((sample) -> sample.failed() && !sample.rejectedClosed()).stream();
	}

}
