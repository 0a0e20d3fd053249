package dev.ratelimit.algorithm;

import java.util.Optional;

/**
 * An exact token bucket with a state of one number. With a refill of r tokens per p
 * milliseconds, all amounts are counted in p-ths of a token, of which r refill in each
 * millisecond. The state is {@code now * r + deficit}. While the bucket refills, the
 * deficit decreases by the amount by which {@code now * r} increases, so the number is
 * constant until the next charge, and no part of the refill is lost to rounding.
 * <p>
 * With credit, a bucket that is not empty allows more units than it has. The deficit then
 * exceeds the burst, and the refill reduces the deficit first.
 * <p>
 * If the clock is set back, the deficit increases accordingly, and no units are added.
 * The deficit is limited to two windows, because a settlement may leave a debt of one
 * capacity, and a state does not distinguish a debt from a clock change. A window is the
 * time of a full refill, but at least the period, because instances with different bursts
 * share the bucket.
 */
class TokenBucketCalculator implements LimitCalculator {

	private final long burst;

	private final long capacity;

	private final Refill refill;

	private final long refillPerMilli;

	private final long unit;

	private final long fullUnits;

	private final long capacityUnits;

	/** The maximum deficit, which refills in two windows. */
	private final long mostUnits;

	private final long[] luaArguments;

	private final Optional<String> remark;

	TokenBucketCalculator(long burst, long credit, long quantity, Refill refill, Optional<String> remark) {
		this.burst = burst;
		this.refill = refill;
		this.refillPerMilli = refill.tokens();
		this.unit = refill.millis();
		long most = (Requirements.MAX_EXACT_INTEGER - Requirements.HORIZON_MILLIS * this.refillPerMilli) / 2
				/ this.unit;
		if (burst > most || credit > most - burst) {
			throw new IllegalArgumentException("a burst of " + burst
					+ ((credit > 0) ? " and a credit of " + credit : "") + " cannot be counted exactly at this rate");
		}
		this.capacity = burst + credit;
		this.fullUnits = burst * this.unit;
		this.capacityUnits = this.capacity * this.unit;
		this.mostUnits = 2 * Math.max(this.capacity, quantity) * this.unit;
		if (this.fullUnits < this.refillPerMilli) {
			throw new IllegalArgumentException(
					"a burst of " + burst + " is less than the refill of one millisecond; increase 'burst' to at least "
							+ Refill.ceilDiv(this.refillPerMilli, this.unit));
		}
		this.luaArguments = new long[] { this.refillPerMilli, this.unit, this.fullUnits, this.capacityUnits,
				this.mostUnits };
		this.remark = remark;
	}

	@Override
	public long capacity() {
		return this.capacity;
	}

	@Override
	public long fillMillis() {
		return Refill.ceilDiv(this.capacityUnits, this.refillPerMilli);
	}

	@Override
	public String meaning() {
		return this.refill.toString();
	}

	@Override
	public Optional<String> precisionNote() {
		return this.remark;
	}

	@Override
	public long[] luaArguments(long nowMillis) {
		return this.luaArguments;
	}

	// Limits with credit cannot be leased, because the credit is for the one request that
	// needs it.
	@Override
	public boolean supportsLeasing() {
		return this.capacity == this.burst;
	}

	@Override
	public int stateLength() {
		return 1;
	}

	@Override
	public long largestNumber() {
		return Requirements.HORIZON_MILLIS * this.refillPerMilli + 2 * this.capacityUnits;
	}

	@Override
	public long[] cut(long[] state, long nowMillis) {
		if (state.length > 0 && state[0] > nowMillis * this.refillPerMilli + this.mostUnits) {
			state[0] = nowMillis * this.refillPerMilli + this.mostUnits;
		}
		return state;
	}

	@Override
	public int width() {
		return 1;
	}

	@Override
	public long[] look(long[] state, long cost, long nowMillis) {
		return state;
	}

	@Override
	public boolean fits(long[] seen, long cost, long nowMillis) {
		return cost == 0 || (cost <= this.capacity && deficit(seen, nowMillis) <= most(cost));
	}

	@Override
	public BucketSnapshot read(long[] seen, long cost, boolean charged, long nowMillis) {
		long before = deficit(seen, nowMillis);
		long after = (charged) ? before + cost * this.unit : before;
		long level = this.fullUnits - after;
		long remaining = Math.max(0, Math.floorDiv(level, this.unit));
		long nextUnit = (remaining >= this.burst) ? 0
				: Refill.ceilDiv((remaining + 1) * this.unit - level, this.refillPerMilli);
		long lacking = (cost == 0) ? 0 : Math.max(0, before - most(cost));
		long retryAfter = (cost > this.capacity) ? Wait.NEVER : Refill.ceilDiv(lacking, this.refillPerMilli);
		return new BucketSnapshot(retryAfter == 0, remaining, retryAfter, Refill.ceilDiv(after, this.refillPerMilli),
				nextUnit);
	}

	// Includes a debt. The credit of an unused bucket is not used.
	@Override
	public long usedUnits(long[] state, long nowMillis) {
		return Refill.ceilDiv(deficit(state, nowMillis), this.unit);
	}

	@Override
	public long[] take(long[] state, long cost, long nowMillis) {
		return with(state, deficit(state, nowMillis) + cost * this.unit, nowMillis);
	}

	@Override
	public long[] settle(long[] state, long takenAtMillis, long units, long nowMillis) {
		long change = (units < 0 && hasRefilled(takenAtMillis, nowMillis)) ? 0
				: Math.max(-2 * this.capacity, Math.min(units, 2 * this.capacity));
		return settle(state, change * this.unit, nowMillis);
	}

	// After a full refill, an old charge does not affect the bucket. If it were refunded,
	// refunds of old charges would add up.
	private boolean hasRefilled(long takenAtMillis, long nowMillis) {
		long sinceMillis = nowMillis - takenAtMillis;
		return sinceMillis > 0 && sinceMillis * this.refillPerMilli >= this.capacityUnits;
	}

	@Override
	public long[] takeLate(long[] state, long takenAtMillis, long units, long nowMillis) {
		long refilled = Math.max(0, nowMillis - takenAtMillis) * this.refillPerMilli;
		return settle(state, Math.max(0, Math.min(units, 2 * this.capacity) * this.unit - refilled), nowMillis);
	}

	private long[] settle(long[] state, long change, long nowMillis) {
		long before = deficit(state, nowMillis);
		long after = Math.min(before + change, Math.max(before, 2 * this.capacity * this.unit));
		// A full bucket is forgotten, even if the clock is set back later.
		return (after <= 0) ? EMPTY : with(state, after, nowMillis);
	}

	@Override
	public long fullInMillis(long[] state, long nowMillis) {
		return Refill.ceilDiv(deficit(state, nowMillis), this.refillPerMilli);
	}

	// The largest deficit at which a cost fits: the bucket is not empty, and the cost
	// does not exceed the credit.
	private long most(long cost) {
		return Math.min(this.fullUnits - 1, this.capacityUnits - cost * this.unit);
	}

	private long[] with(long[] state, long deficit, long nowMillis) {
		long[] next = (state.length == 0) ? new long[1] : state;
		next[0] = nowMillis * this.refillPerMilli + deficit;
		return next;
	}

	private long deficit(long[] state, long nowMillis) {
		return (state.length == 0) ? 0 : Math.max(0, state[0] - nowMillis * this.refillPerMilli);
	}

}
