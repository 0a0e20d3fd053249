package dev.ratelimit.store;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.Source;
import dev.ratelimit.Verdict;

/**
 * What a store says to a demand. Immutable.
 *
 * @param admitted whether the request may pass
 * @param replayed whether its replay marker was known
 * @param source who answered
 * @param atMillis the store's time of the decision; 0 if no store looked
 * @param verdicts one verdict per charge, in the order of the charges
 * @param eachAtMillis the time of each charge, where several servers with clocks of their
 * own have looked; otherwise empty
 * @since 0.1.0
 */
public record Answer(boolean admitted, boolean replayed, Source source, long atMillis, List<Verdict> verdicts,
		List<Long> eachAtMillis) {

	/**
	 * An answer with one time for all charges.
	 * @param admitted whether the request may pass
	 * @param replayed whether its replay marker was known
	 * @param source who answered
	 * @param atMillis the store's time of the decision; 0 if no store looked
	 * @param verdicts one verdict per charge, in the order of the charges
	 */
	public Answer(boolean admitted, boolean replayed, Source source, long atMillis, List<Verdict> verdicts) {
		this(admitted, replayed, source, atMillis, verdicts, List.of());
	}

	/**
	 * The store's time of a charge, by which it can be corrected.
	 * @param charge the number of the charge
	 * @return the time in milliseconds
	 */
	public long takenAtMillis(int charge) {
		return (this.eachAtMillis.isEmpty()) ? this.atMillis : this.eachAtMillis.get(charge);
	}

	/**
	 * The answer that follows from what was seen of the buckets.
	 * @param demand the demand
	 * @param seen what was seen of each charge's bucket before the decision
	 * @param admitted whether the request was admitted
	 * @param replayed whether its replay marker was known
	 * @param source who looked
	 * @param nowMillis the time of the decision
	 * @return the answer
	 */
	public static Answer of(Demand demand, long[][] seen, boolean admitted, boolean replayed, Source source,
			long nowMillis) {
		List<Charge> charges = demand.charges();
		if (charges.size() == 1) {
			return new Answer(admitted, replayed, source, nowMillis,
					List.of(charges.get(0).verdict(seen[0], admitted, replayed, nowMillis)));
		}
		List<Verdict> verdicts = new ArrayList<>(charges.size());
		for (int i = 0; i < seen.length; i++) {
			verdicts.add(charges.get(i).verdict(seen[i], admitted, replayed, nowMillis));
		}
		return new Answer(admitted, replayed, source, nowMillis, verdicts);
	}

}
