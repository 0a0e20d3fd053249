package dev.ratelimit.rule;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Holds the rules in force, and hands every new set to those who work with it, in the
 * order in which they asked for it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RuleRegistry {

	private final List<Consumer<RuleSet>> followers = new CopyOnWriteArrayList<>();

	private volatile RuleSet current = RuleSet.EMPTY;

	/**
	 * The rules in force.
	 * @return the current set
	 */
	public RuleSet current() {
		return this.current;
	}

	/**
	 * Put other rules in force.
	 * @param rules the rules
	 */
	public synchronized void replace(List<Rule> rules) {
		this.current = this.current.next(rules);
		this.followers.forEach((follower) -> follower.accept(this.current));
	}

	/**
	 * Be handed the current set now, and every set to come.
	 * @param follower what makes itself ready for a set, before it returns
	 */
	public synchronized void follow(Consumer<RuleSet> follower) {
		this.followers.add(follower);
		follower.accept(this.current);
	}

}
