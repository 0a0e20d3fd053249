package dev.ratelimit.fault;

import java.util.Locale;

/**
 * The target of a load: a path under a rule for each failure policy, a path whose limit
 * the load exceeds, a path whose limit was exhausted before the fault, and a path without
 * a rule.
 */
enum Target {

	OPEN, CLOSED, LOCAL, BOUNDED, EXHAUSTED, FREE;

	/** The limit of the rule of {@link #CLOSED}. */
	static final int LIMIT = 100;

	/** The limit of the rules of {@link #BOUNDED} and {@link #LOCAL}. */
	static final int SMALL_LIMIT = 25;

	String path() {
		return "/" + name().toLowerCase(Locale.ROOT);
	}

}
