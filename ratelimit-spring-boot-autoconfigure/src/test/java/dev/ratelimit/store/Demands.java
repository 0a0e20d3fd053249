package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.algorithm.Algorithms;

/**
 * Creates requests for tests.
 */
public final class Demands {

	private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(1);

	private Demands() {
	}

	/**
	 * Return the buckets of a limit per minute whose burst equals its quantity.
	 */
	public static BucketFamily perMinute(String rule, long quantity) {
		return family(rule, new Limit(Algorithms.DEFAULT, quantity, Duration.ofMinutes(1), quantity));
	}

	/**
	 * Return the buckets of a limit per day whose burst equals its quantity. Redis, which
	 * deletes keys by its own clock, keeps them for longer than a test lasts.
	 */
	public static BucketFamily perDay(String rule, long quantity) {
		return family(rule, new Limit(Algorithms.DEFAULT, quantity, Duration.ofDays(1), quantity));
	}

	public static BucketFamily family(String rule, Limit limit) {
		Policy policy = new Policy(rule, rule, limit, Policy.Unit.REQUESTS, false);
		return new BucketFamily(policy, Algorithms.find(limit.algorithm()).orElseThrow());
	}

	/**
	 * Return the buckets of a limit of concurrent requests.
	 */
	public static BucketFamily concurrent(String rule, Limit limit) {
		Policy policy = new Policy(rule, rule, limit, Policy.Unit.CONCURRENT_REQUESTS, false);
		return new BucketFamily(policy, Algorithms.find(limit.algorithm()).orElseThrow());
	}

	/**
	 * Return the buckets of several limits of a rule.
	 */
	public static List<BucketFamily> families(String rule, Limit... limits) {
		return JointFamilies.join(Stream.of(limits).map((limit) -> family(rule, limit)).toList());
	}

	/**
	 * Return a request with the same cost for each bucket.
	 */
	public static AcquireRequest all(List<BucketFamily> families, String subject, long cost) {
		return of(families.stream().map((family) -> charge(family, subject, cost)).toArray(Charge[]::new));
	}

	public static Charge charge(BucketFamily family, String subject, long cost) {
		return new Charge(new Bucket(family, subject), cost, FailurePolicy.OPEN, Stance.ENFORCED, false);
	}

	public static Charge shadow(BucketFamily family, String subject, long cost) {
		return new Charge(new Bucket(family, subject), cost, FailurePolicy.OPEN, Stance.WATCHING, false);
	}

	public static Charge degrading(BucketFamily family, String subject, long cost) {
		return new Charge(new Bucket(family, subject), cost, FailurePolicy.OPEN, Stance.DEGRADING, false);
	}

	public static Charge replayable(BucketFamily family, String subject, long cost) {
		return new Charge(new Bucket(family, subject), cost, FailurePolicy.OPEN, Stance.ENFORCED, true);
	}

	public static Charge closed(BucketFamily family, String subject, long cost) {
		return new Charge(new Bucket(family, subject), cost, FailurePolicy.CLOSED, Stance.ENFORCED, false);
	}

	public static AcquireRequest of(Charge... charges) {
		return new AcquireRequest(List.of(charges), Optional.empty(), System.nanoTime() + TIMEOUT_NANOS);
	}

	public static AcquireRequest of(ReplayMarker marker, Charge... charges) {
		return new AcquireRequest(List.of(charges), Optional.of(marker), System.nanoTime() + TIMEOUT_NANOS);
	}

	public static AcquireRequest within(Duration deadline, Charge... charges) {
		return new AcquireRequest(List.of(charges), Optional.empty(), System.nanoTime() + deadline.toNanos());
	}

}
