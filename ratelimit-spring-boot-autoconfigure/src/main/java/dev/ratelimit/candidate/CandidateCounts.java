package dev.ratelimit.candidate;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Internal: counts of requests on this instance, by the difference between the decisions
 * of a candidate and of the active rules. Thread-safe.
 */
public final class CandidateCounts {

	private final Map<String, LongAdder[]> counts = new ConcurrentHashMap<>();

	private final Map<String, long[]> drained = new HashMap<>();

	void add(String rule, CandidateDifference difference) {
		LongAdder[] existing = this.counts.get(rule);
		LongAdder[] adders = (existing != null) ? existing : this.counts.computeIfAbsent(rule, (id) -> adders());
		adders[difference.ordinal()].increment();
	}

	private static LongAdder[] adders() {
		return Stream.generate(LongAdder::new).limit(CandidateDifference.values().length).toArray(LongAdder[]::new);
	}

	/**
	 * Return the number of requests of a rule with a difference.
	 * @param rule the rule
	 * @param difference the difference between the two decisions
	 * @return the number of requests
	 */
	public long count(String rule, CandidateDifference difference) {
		LongAdder[] adders = this.counts.get(rule);
		return (adders != null) ? adders[difference.ordinal()].sum() : 0;
	}

	/**
	 * Return the counts since the last call of this method.
	 * @return counts by rule, and by the fields of differences; zeros are left out
	 */
	synchronized Map<String, Map<String, Long>> drain() {
		Map<String, Map<String, Long>> news = new HashMap<>();
		this.counts.forEach((rule, adders) -> {
			long[] before = this.drained.computeIfAbsent(rule, (id) -> new long[adders.length]);
			for (CandidateDifference difference : CandidateDifference.values()) {
				long total = adders[difference.ordinal()].sum();
				if (total > before[difference.ordinal()]) {
					news.computeIfAbsent(rule, (id) -> new HashMap<>())
						.put(difference.field(), total - before[difference.ordinal()]);
					before[difference.ordinal()] = total;
				}
			}
		});
		return news;
	}

}
