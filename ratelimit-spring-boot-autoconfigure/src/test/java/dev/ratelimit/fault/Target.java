package dev.ratelimit.fault;

import java.util.Locale;

/**
 * The target of a load: a path under a rule with each failure policy, one whose limit the
 * load exceeds, one whose limit was used up before the fault, and one under no rule.
 */
enum Target {

	OPEN, CLOSED, LOCAL, BOUNDED, EXHAUSTED, FREE;

	/** What the rule of {@link #CLOSED} allows. */
	static final int LIMIT = 100;

	/** What the rules of {@link #BOUNDED} and {@link #LOCAL} allow. */
	static final int SMALL_LIMIT = 25;

	String path() {
		return "/" + name().toLowerCase(Locale.ROOT);
	}

}
