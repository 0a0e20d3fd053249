package dev.ratelimit.telemetry;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.engine.Subjects;

/**
 * Finds the subjects that all instances have rejected most often.
 */
final class TopSubjects {

	/** The maximum number of subjects of a rule in the result. */
	static final int MAX_SUBJECTS = 100;

	private final TopStore store;

	private final SubjectNaming naming;

	private final InstantSource clock;

	/**
	 * Create a finder.
	 * @param store the sums
	 * @param naming the names of subjects
	 * @param clock the clock, for the minutes of the sums
	 */
	TopSubjects(TopStore store, SubjectNaming naming, InstantSource clock) {
		this.store = store;
		this.naming = naming;
		this.clock = clock;
	}

	/**
	 * Find the subjects that were rejected most often. Excludes the current window. Does
	 * not block.
	 * @param rule the rule's id; empty for all rules
	 * @param minutes the number of minutes to look back, at most two hours
	 * @param subject a subject to find, in plain form or by its display name; empty for
	 * all
	 * @return the subjects; fails if the instances cannot be read
	 */
	CompletableFuture<Top> find(Optional<String> rule, int minutes, Optional<String> subject) {
		if (minutes < 1 || minutes > TopStore.MINUTES) {
			throw new IllegalArgumentException("'minutes' must be between 1 and " + TopStore.MINUTES);
		}
		long now = TimeUnit.MILLISECONDS.toMinutes(this.clock.millis());
		return this.naming.agreed().thenCompose((names) -> {
			Sums sums = new Sums(rule, subject.map(Subjects::of).map(names::of), subject);
			return read(sums, now - minutes + 1, now).thenApply((done) -> sums.top());
		});
	}

	// Reads the minutes sequentially, because decisions share the connection.
	private CompletableFuture<Void> read(Sums sums, long minute, long last) {
		return this.store.read(minute).thenCompose((counts) -> {
			counts.forEach(sums::add);
			return (minute < last) ? read(sums, minute + 1, last) : CompletableFuture.completedFuture(null);
		});
	}

	/**
	 * The subjects that were rejected most often.
	 *
	 * @param missed the number of rejections that no count contains
	 * @param rules the subjects by rule, in descending order of rejections
	 */
	record Top(long missed, Map<String, List<RejectedSubject>> rules) {
	}

	private static final class Sums {

		private final Optional<String> rule;

		private final Optional<String> name;

		private final Optional<String> shown;

		private final Map<String, Long> byName = new HashMap<>();

		private long missed;

		private Sums(Optional<String> rule, Optional<String> name, Optional<String> shown) {
			this.rule = rule;
			this.name = name;
			this.shown = shown;
		}

		private void add(String name, long count) {
			if (name.equals(TopStore.MISSED)) {
				this.missed += count;
			}
			else if (isWanted(RuleSubject.of(name))) {
				this.byName.merge(name, count, Long::sum);
			}
		}

		private boolean isWanted(RuleSubject found) {
			return this.rule.map(found.rule()::equals).orElse(true) && this.name
				.map((wanted) -> found.subject().equals(wanted) || found.subject().equals(this.shown.orElse(wanted)))
				.orElse(true);
		}

		private Top top() {
			Map<String, List<RejectedSubject>> rules = new TreeMap<>();
			this.byName.forEach((name, count) -> {
				RuleSubject found = RuleSubject.of(name);
				rules.computeIfAbsent(found.rule(), (first) -> new ArrayList<>())
					.add(new RejectedSubject(found.rule(), found.subject(), count));
			});
			rules.replaceAll((id, subjects) -> subjects.stream()
				.sorted(Comparator.comparingLong(RejectedSubject::atLeast).reversed())
				.limit(MAX_SUBJECTS)
				.toList());
			return new Top(this.missed, rules);
		}

	}

}
