package dev.ratelimit.benchmarks.openloop;

import java.util.Locale;

/**
 * The importance of a request. It is part of the path of the request.
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
