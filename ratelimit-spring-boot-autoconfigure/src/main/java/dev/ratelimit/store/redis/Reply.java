package dev.ratelimit.store.redis;

import java.util.Arrays;
import java.util.List;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ReplayState;

/**
 * The reply of a script that decides. The array is not copied, and must not be changed.
 *
 * @param numbers the time, the flags, and for each bucket the numbers that were seen,
 * followed by the leased units if the charge requested a lease; only the time if the
 * script ran too late to decide
 */
record Reply(long[] numbers) {

	private static final int ALLOWED = 1;

	private static final int REPLAYED = 2;

	private static final int MARKED = 4;

	long atMillis() {
		return this.numbers[0];
	}

	/**
	 * Whether the script ran after the time up to which it may charge, and has not
	 * charged.
	 * @return whether there is no decision
	 */
	boolean tooLate() {
		return this.numbers.length == 1;
	}

	AcquireResult result(AcquireRequest request) {
		AcquireResult result = AcquireResult.of(request, seen(request.charges()), has(ALLOWED), replay(), Source.REMOTE,
				atMillis());
		return (request.leases()) ? result.leasing(leased(request.charges())) : result;
	}

	private ReplayState replay() {
		if (has(REPLAYED)) {
			return ReplayState.KNOWN;
		}
		return (has(MARKED)) ? ReplayState.MARKED : ReplayState.NONE;
	}

	private boolean has(int flag) {
		return (this.numbers[1] & flag) != 0;
	}

	private long[][] seen(List<Charge> charges) {
		long[][] seen = new long[charges.size()][];
		int at = 2;
		for (int i = 0; i < seen.length; i++) {
			int width = charges.get(i).bucket().family().calculator().width();
			seen[i] = Arrays.copyOfRange(this.numbers, at, at + width);
			at += width + behind(charges.get(i));
		}
		return seen;
	}

	private long[] leased(List<Charge> charges) {
		long[] leased = new long[charges.size()];
		int at = 2;
		for (int i = 0; i < leased.length; i++) {
			at += charges.get(i).bucket().family().calculator().width() + behind(charges.get(i));
			leased[i] = (behind(charges.get(i)) > 0) ? this.numbers[at - 1] : 0;
		}
		return leased;
	}

	private static int behind(Charge charge) {
		return (charge.lease().units() > 0) ? 1 : 0;
	}

}
