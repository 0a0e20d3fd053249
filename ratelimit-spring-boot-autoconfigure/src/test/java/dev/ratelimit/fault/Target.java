package dev.ratelimit.fault;

import java.util.Locale;

/**
 * What a load asks for: a path under a rule with each failure policy, and one whose limit
 * was used up before the fault.
 */
enum Target {

	OPEN, CLOSED, LOCAL, EXHAUSTED;

	/** What the rules of {@link #CLOSED} and {@link #LOCAL} admit. */
	static final int LIMIT = 100;

	String path() {
		return "/" + name().toLowerCase(Locale.ROOT);
	}

}
