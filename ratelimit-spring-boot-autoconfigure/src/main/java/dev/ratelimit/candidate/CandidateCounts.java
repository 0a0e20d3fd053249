package dev.ratelimit.candidate;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Internal: how often the rules of a candidate decided as the active ones on this
 * instance, and how often not. Thread-safe.
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
	 * How often a rule's decisions compared so.
	 * @param rule the rule
	 * @param difference how they compared
	 * @return the number of requests
	 */
	public long count(String rule, CandidateDifference difference) {
		LongAdder[] adders = this.counts.get(rule);
		return (adders != null) ? adders[difference.ordinal()].sum() : 0;
	}

	/**
	 * What was counted since this was called last.
	 * @return counts by rule, and by the fields of differences; nothing that is zero
	 */
	public synchronized Map<String, Map<String, Long>> drain() {
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
