package dev.ratelimit.algorithm;

import java.util.concurrent.TimeUnit;

/**
 * Windows of one length, the first of which began in 1970.
 */
final class EvenWindows implements Windows {

	private final long lengthMillis;

	/** What makes a time since 2025 one since 1970, but for whole windows. */
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
	public long closesMillis(long atMillis) {
		return startMillis(atMillis) + this.lengthMillis;
	}

	@Override
	public boolean holds(long closesMillis, long atMillis, long nowMillis) {
		return closesMillis(atMillis) == closesMillis;
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
