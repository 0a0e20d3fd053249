package dev.ratelimit.algorithm;

import java.util.concurrent.TimeUnit;

/**
 * Windows of one length, the first of which began in 1970. If the clock is set back to
 * before a window began, that window is moved: it closes one length after the current
 * time. The windows that directly follow it are moved too, so that no window is shorter.
 */
final class EvenWindows implements Windows {

	private final long lengthMillis;

	/**
	 * The time from the start of a window to {@link LimitCalculator#EPOCH_SECONDS}.
	 * Windows are aligned with 1970, times with 2025.
	 */
	private final long offsetMillis;

	private final long[] luaArguments;

	EvenWindows(long lengthMillis) {
		this.lengthMillis = lengthMillis;
		this.offsetMillis = TimeUnit.SECONDS.toMillis(LimitCalculator.EPOCH_SECONDS) % lengthMillis;
		this.luaArguments = new long[] { lengthMillis, this.offsetMillis };
	}

	long startMillis(long atMillis) {
		return atMillis - Math.floorMod(atMillis + this.offsetMillis, this.lengthMillis);
	}

	@Override
	public long closesMillis(long atMillis, long formerMillis) {
		long start = startMillis(atMillis);
		return ((formerMillis > start) ? atMillis : start) + this.lengthMillis;
	}

	@Override
	public long lastMillis(long nowMillis) {
		return nowMillis + this.lengthMillis;
	}

	@Override
	public boolean holds(long closesMillis, long atMillis, long nowMillis) {
		return closesMillis - this.lengthMillis <= atMillis && atMillis < closesMillis;
	}

	@Override
	public boolean reaches(long closesMillis, long atMillis, long nowMillis) {
		return atMillis >= Math.min(nowMillis, closesMillis - this.lengthMillis);
	}

	@Override
	public long longestMillis() {
		return this.lengthMillis;
	}

	@Override
	public long[] luaArguments(long nowMillis) {
		return this.luaArguments;
	}

	@Override
	public String toString() {
		return Long.toString(this.lengthMillis);
	}

}
