package dev.ratelimit.engine;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.Time;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the subjects that rules ban, mark, or pause now, as this instance knows them.
 * While there are none, a lookup reads one flag. Thread-safe.
 */
public final class Sanctions {

	/** There are none. */
	static final Sanctions NONE = new Sanctions(() -> 0);

	private final Map<String, Map<String, Sanction>> byRule = new ConcurrentHashMap<>();

	private final Time time;

	private volatile boolean any;

	private volatile SanctionKeeper keeper = SanctionKeeper.NONE;

	Sanctions(Time time) {
		this.time = time;
	}

	/**
	 * Have strikes and pauses decided.
	 * @param decides decides them
	 */
	public void keepBy(SanctionKeeper decides) {
		this.keeper = decides;
	}

	/**
	 * Decides strikes and pauses.
	 * @return what {@link #keepBy} was given
	 */
	public SanctionKeeper keeper() {
		return this.keeper;
	}

	/**
	 * Whether there may be any.
	 * @return false while no subject is banned, marked, or paused
	 */
	public boolean any() {
		return this.any;
	}

	/**
	 * What a rule does with a subject now.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 * @return the sanction; null if there is none
	 */
	public @Nullable Sanction find(String rule, String subject) {
		return (this.any) ? lookUp(rule, subject) : null;
	}

	private @Nullable Sanction lookUp(String rule, String subject) {
		Map<String, Sanction> subjects = this.byRule.get(rule);
		Sanction found = (subjects != null) ? subjects.get(subject) : null;
		return (found != null && found.untilNanos() - this.time.nanos() > 0) ? found : null;
	}

	/**
	 * The rule as it applies to a subject under a sanction.
	 * @param rule the rule, in the mode for the subject
	 * @param sanction the sanction
	 * @return the rule to charge
	 */
	public CompiledRule marking(CompiledRule rule, Sanction sanction) {
		return (sanction.denies() || rule.policy().shadow()) ? rule : rule.marking();
	}

	/**
	 * What a rule does instead of charging a subject under a sanction.
	 * @param rule the rule, in the mode for the subject
	 * @param subject the subject
	 * @param sanction the sanction
	 * @return the rejection; null if the rule charges the subject
	 */
	public @Nullable AppliedRule denial(CompiledRule rule, String subject, Sanction sanction) {
		if (!sanction.denies() || rule.policy().shadow()) {
			return null;
		}
		long millis = (sanction.untilNanos() - this.time.nanos() + 999_999) / 1_000_000;
		return new AppliedRule(rule, CompiledLimits.denying(sanction.kind(), Math.max(1, millis)), subject,
				Math.max(1, rule.rule().numbers().cost().units()));
	}

	/**
	 * What a rule does with a subject, for people.
	 * @param rule the rule, in the mode for the subject
	 * @param subject the subject
	 * @return such as {@code banned}; empty if the rule charges the subject as others
	 */
	public Optional<String> outcome(CompiledRule rule, String subject) {
		Sanction sanction = (rule.policy().shadow()) ? null : find(rule.rule().id(), subject);
		return Optional.ofNullable(sanction).map((found) -> switch (found.kind()) {
			case BAN -> "banned";
			case MARK -> "marked";
			case PAUSE -> "paused";
		});
	}

	/**
	 * Set what a rule does with a subject.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 * @param sanction the sanction
	 */
	public synchronized void put(String rule, String subject, Sanction sanction) {
		this.byRule.computeIfAbsent(rule, (id) -> new ConcurrentHashMap<>()).put(subject, sanction);
		this.any = true;
	}

	/**
	 * End what a rule does with a subject.
	 * @param rule the rule's id
	 * @param subject the subject, canonical
	 */
	public void remove(String rule, String subject) {
		Map<String, Sanction> subjects = this.byRule.get(rule);
		if (subjects != null) {
			subjects.remove(subject);
		}
	}

	/**
	 * Forget what has ended.
	 */
	public synchronized void sweep() {
		long now = this.time.nanos();
		boolean left = false;
		for (Map<String, Sanction> subjects : this.byRule.values()) {
			subjects.values().removeIf((sanction) -> sanction.untilNanos() - now <= 0);
			left |= !subjects.isEmpty();
		}
		this.any = left;
	}

}
