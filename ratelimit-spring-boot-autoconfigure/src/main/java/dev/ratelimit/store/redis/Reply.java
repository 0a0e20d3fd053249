package dev.ratelimit.store.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import dev.ratelimit.Source;
import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.Settlement;

/**
 * What the script of one slot replied to a demand. The array is not copied, and nobody
 * changes it.
 *
 * @param demand the demand
 * @param numbers the time; flags; what was seen of each bucket
 */
record Reply(Demand demand, long[] numbers) {

	private static final int ADMITTED = 1;

	private static final int REPLAYED = 2;

	private static final int MARKED = 4;

	long atMillis() {
		return this.numbers[0];
	}

	boolean admitted() {
		return has(ADMITTED);
	}

	boolean replayed() {
		return has(REPLAYED);
	}

	/**
	 * Whether a marker was set that was not known before.
	 * @return whether it is new
	 */
	boolean marked() {
		return has(MARKED);
	}

	/**
	 * Whether there is anything to take back.
	 * @return whether a bucket was charged, a marker set or a replay counted
	 */
	boolean changed() {
		return marked() || replayed() || !refunds().isEmpty();
	}

	Answer answer() {
		return answer(admitted());
	}

	/**
	 * What there is to say if the demand as a whole was, or was not, admitted.
	 * @param admitted whether it was
	 * @return the answer
	 */
	Answer answer(boolean admitted) {
		return Answer.of(this.demand, seen(), admitted, replayed(), Source.REMOTE, atMillis());
	}

	/**
	 * What gives back all that was taken.
	 * @return one settlement for each bucket that was charged
	 */
	List<Settlement> refunds() {
		List<Settlement> refunds = new ArrayList<>(this.demand.charges().size());
		long[][] seen = seen();
		for (int i = 0; i < seen.length; i++) {
			Charge charge = this.demand.charges().get(i);
			if (admitted() && charge.takes(seen[i], replayed(), atMillis())) {
				refunds.add(new Settlement(charge.bucket(), atMillis(), -charge.cost()));
			}
		}
		return refunds;
	}

	private boolean has(int flag) {
		return (this.numbers[1] & flag) != 0;
	}

	private long[][] seen() {
		List<Charge> charges = this.demand.charges();
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
