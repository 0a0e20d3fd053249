package dev.ratelimit.store.redis;

import java.util.Arrays;
import java.util.List;

import dev.ratelimit.Source;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Retry;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;

/**
 * What a deciding script replied. The array is not copied, and nobody changes it.
 *
 * @param numbers the time; flags; what was seen of each bucket; or the time alone if the
 * script ran too late to decide
 */
record Reply(long[] numbers) {

	private static final int ADMITTED = 1;

	private static final int REPLAYED = 2;

	private static final int MARKED = 4;

	long atMillis() {
		return this.numbers[0];
	}

	/**
	 * Whether the script ran after the time up to which it may charge, and has not.
	 * @return whether it is no answer
	 */
	boolean tooLate() {
		return this.numbers.length == 1;
	}

	Answer answer(Demand demand) {
		return Answer.of(demand, seen(demand.charges()), has(ADMITTED), retry(), Source.REMOTE, atMillis());
	}

	private Retry retry() {
		if (has(REPLAYED)) {
			return Retry.KNOWN;
		}
		return (has(MARKED)) ? Retry.MARKED : Retry.NONE;
	}

	private boolean has(int flag) {
		return (this.numbers[1] & flag) != 0;
	}

	private long[][] seen(List<Charge> charges) {
		long[][] seen = new long[charges.size()][];
		int at = 2;
		for (int i = 0; i < seen.length; i++) {
			int width = charges.get(i).bucket().family().arithmetic().width();
			seen[i] = Arrays.copyOfRange(this.numbers, at, at + width);
			at += width;
		}
		return seen;
	}

}
