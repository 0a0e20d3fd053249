package dev.ratelimit.telemetry;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.hash.KeyedHash;
import org.jspecify.annotations.Nullable;

/**
 * The rejections within a window. Each rule has counters of its own from its first
 * rejection; rules above a bound share some. Thread-safe.
 */
final class DenialWindow {

	static final int MAX_RULES = 256;

	private final Map<String, DenialSketch<String>> rules = new ConcurrentHashMap<>();

	private final DenialSketch<RuleSubject> others = new DenialSketch<>();

	/**
	 * The first rule to reject a request, which often is the busiest: to look it up costs
	 * a fifth of counting.
	 */
	private volatile @Nullable RuleSketch first;

	private volatile boolean closed;

	/**
	 * Count a rejection.
	 * @param rule the rule
	 * @param subject the subject
	 * @return false if it may not be counted
	 */
	boolean tryAdd(String rule, String subject) {
		DenialSketch<String> own = sketch(rule);
		int hash = KeyedHash.of(subject);
		boolean added = (own != null) ? own.tryAdd(subject, hash)
				: this.others.tryAdd(new RuleSubject(rule, subject), hash + rule.hashCode());
		// The first rejection of a rule may come after its window was read.
		return added && !this.closed;
	}

	private @Nullable DenialSketch<String> sketch(String rule) {
		RuleSketch first = this.first;
		if (first != null && first.rule().equals(rule)) {
			return first.sketch();
		}
		DenialSketch<String> known = this.rules.get(rule);
		return (known != null || this.rules.size() >= MAX_RULES) ? known : created(rule);
	}

	private DenialSketch<String> created(String rule) {
		DenialSketch<String> sketch = this.rules.computeIfAbsent(rule, (id) -> new DenialSketch<>());
		if (this.first == null) {
			this.first = new RuleSketch(rule, sketch);
		}
		return sketch;
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

	private record RuleSketch(String rule, DenialSketch<String> sketch) {

	}

}
