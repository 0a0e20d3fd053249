package dev.ratelimit.telemetry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rejections within a window. Each rule has counters of its own from its first
 * rejection; rules above a bound share some. Thread-safe.
 */
final class DenialWindow {

	static final int MAX_RULES = 256;

	private final Map<String, DenialSketch<String>> rules = new ConcurrentHashMap<>();

	private final DenialSketch<RuleSubject> others = new DenialSketch<>();

	private volatile boolean closed;

	/**
	 * Count a rejection.
	 * @param rule the rule
	 * @param subject the subject
	 * @return false if it may not be counted
	 */
	boolean tryAdd(String rule, String subject) {
		DenialSketch<String> own = this.rules.get(rule);
		if (own == null && this.rules.size() < MAX_RULES) {
			own = this.rules.computeIfAbsent(rule, (first) -> new DenialSketch<>());
		}
		boolean added = (own != null) ? own.tryAdd(subject) : this.others.tryAdd(new RuleSubject(rule, subject));
		// The first rejection of a rule may come after its window was read.
		return added && !this.closed;
	}

	/**
	 * End the window.
	 * @param max how many subjects to return
	 * @return the subjects that were rejected most often
	 */
	List<RejectedSubject> close(int max) {
		this.closed = true;
		List<RejectedSubject> all = new ArrayList<>();
		this.rules.forEach((rule, sketch) -> sketch.close()
			.forEach((subject, atLeast) -> all.add(new RejectedSubject(rule, subject, atLeast))));
		this.others.close()
			.forEach((other, atLeast) -> all.add(new RejectedSubject(other.rule(), other.subject(), atLeast)));
		return all.stream().sorted(Comparator.comparingLong(RejectedSubject::atLeast).reversed()).limit(max).toList();
	}

}
