package dev.ratelimit.benchmarks.openloop;

import java.util.Locale;

/**
 * How important a request is. Its path says so.
 */
enum Level {

	CRITICAL, HIGH, NORMAL, LOW;

	String path() {
		return "/" + this + "/work";
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
