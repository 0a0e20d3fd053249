package dev.ratelimit.ban;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.engine.Sanction;
import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * The active bans, marks, and pauses that this instance knows, by subject. While there
 * are none, a lookup only reads a flag. Thread-safe.
 */
final class Sanctions {

	private final Map<String, Map<String, Sanction>> byRule = new ConcurrentHashMap<>();

	private final Time time;

	private volatile boolean any;

	Sanctions(Time time) {
		this.time = time;
	}

	/**
	 * Return whether there may be sanctions.
	 * @return false while no subject is banned, marked, or paused
	 */
	boolean any() {
		return this.any;
	}

	/**
	 * Return the present sanction of a rule on a subject.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 * @return the sanction; null if there is none
	 */
	@Nullable Sanction find(String rule, String subject) {
		return (this.any) ? lookUp(rule, subject) : null;
	}

	private @Nullable Sanction lookUp(String rule, String subject) {
		Map<String, Sanction> subjects = this.byRule.get(rule);
		Sanction found = (subjects != null) ? subjects.get(subject) : null;
		return (found != null && found.untilNanos() - this.time.nanos() > 0) ? found : null;
	}

	/**
	 * Set the sanction of a rule on a subject.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 * @param sanction the sanction
	 */
	synchronized void put(String rule, String subject, Sanction sanction) {
		this.byRule.computeIfAbsent(rule, (id) -> new ConcurrentHashMap<>()).put(subject, sanction);
		this.any = true;
	}

	/**
	 * Remove the sanction of a rule on a subject.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 */
	void remove(String rule, String subject) {
		Map<String, Sanction> subjects = this.byRule.get(rule);
		if (subjects != null) {
			subjects.remove(subject);
		}
	}

	/**
	 * Remove all sanctions.
	 */
	synchronized void clear() {
		this.byRule.clear();
		this.any = false;
	}

	/**
	 * Remove the sanctions that have ended.
	 */
	synchronized void sweep() {
		long now = this.time.nanos();
		boolean left = false;
		for (Map<String, Sanction> subjects : this.byRule.values()) {
			subjects.values().removeIf((sanction) -> sanction.untilNanos() - now <= 0);
			left |= !subjects.isEmpty();
		}
		this.any = left;
	}

}
