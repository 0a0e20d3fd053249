package dev.ratelimit.telemetry;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The sums of this instance, in memory.
 */
final class MemoryTopStore implements TopStore {

	static final int MAX_NAMES = 2000;

	private final TreeMap<Long, Map<String, Long>> minutes = new TreeMap<>();

	@Override
	public synchronized CompletableFuture<Void> add(long minute, Map<String, Long> counts) {
		Map<String, Long> sums = this.minutes.computeIfAbsent(minute, (first) -> new HashMap<>());
		counts.forEach((name, count) -> sums.merge(name, count, Long::sum));
		List<String> names = sums.entrySet()
			.stream()
			.filter((sum) -> !sum.getKey().equals(MISSED))
			.sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
			.map(Map.Entry::getKey)
			.toList();
		names.stream().skip(MAX_NAMES).forEach(sums::remove);
		this.minutes.headMap(minute - MINUTES, true).clear();
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public synchronized CompletableFuture<Map<String, Long>> read(long minute) {
		return CompletableFuture.completedFuture(Map.copyOf(this.minutes.getOrDefault(minute, Map.of())));
	}

}
