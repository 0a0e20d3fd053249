package dev.ratelimit.ban;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The counts of strikes, bans, and lifts, by rule. Thread-safe.
 */
final class BanCounts {

	private final Map<Name, LongAdder> counts = new ConcurrentHashMap<>();

	private BiConsumer<Name, LongAdder> added = (name, count) -> {
	};

	private Consumer<Name> removed = (name) -> {
	};

	/**
	 * Begin all counts of a rule at 0, so that its meters show the first event as an
	 * increase.
	 * @param rule the rule's id
	 */
	void begin(String rule) {
		for (Event event : Event.values()) {
			of(rule, event);
		}
	}

	void add(String rule, Event event) {
		of(rule, event).increment();
	}

	private LongAdder of(String rule, Event event) {
		Name name = new Name(rule, event);
		LongAdder count = this.counts.get(name);
		return (count != null) ? count : begun(name);
	}

	// Synchronized, because each count must be published once, and follow() publishes the
	// existing counts.
	private synchronized LongAdder begun(Name name) {
		return this.counts.computeIfAbsent(name, (absent) -> {
			LongAdder count = new LongAdder();
			this.added.accept(absent, count);
			return count;
		});
	}

	/**
	 * Remove the counts of rules that are gone.
	 * @param rules the ids of the present rules
	 */
	synchronized void retain(Set<String> rules) {
		List<Name> gone = this.counts.keySet().stream().filter((name) -> !rules.contains(name.rule())).toList();
		this.counts.keySet().removeAll(gone);
		gone.forEach(this.removed);
	}

	/**
	 * Publish each count once.
	 * @param listener receives the existing counts now, and each further count when it
	 * begins
	 * @param end receives the name of each count that is removed
	 */
	synchronized void follow(BiConsumer<Name, LongAdder> listener, Consumer<Name> end) {
		this.added = listener;
		this.removed = end;
		this.counts.forEach(listener);
	}

	/**
	 * Return the number of times that an event occurred.
	 * @param rule the rule's id
	 * @param event the event
	 * @return the count
	 */
	long count(String rule, Event event) {
		LongAdder count = this.counts.get(new Name(rule, event));
		return (count != null) ? count.sum() : 0;
	}

	/**
	 * Return the rules with counts.
	 * @return their ids
	 */
	Set<String> rules() {
		return this.counts.keySet().stream().map(Name::rule).collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * The name of a count.
	 *
	 * @param rule the rule's id
	 * @param event the event
	 */
	record Name(String rule, Event event) {
	}

	/**
	 * The events that are counted.
	 */
	enum Event {

		/** A request counts towards a ban. */
		STRIKE,
		/** A strike was not counted, because too many were sent. */
		DROPPED,
		/** A subject was banned, marked, or paused. */
		IMPOSED,
		/** A rule in shadow mode would have banned or marked a subject. */
		SHADOW,
		/** A subject was not banned, because there were too many bans in this minute. */
		BRAKED,
		/** A subject was not banned, because there are too many bans. */
		FULL,
		/** A ban, mark, or pause was ended by a user. */
		LIFTED

	}

}
