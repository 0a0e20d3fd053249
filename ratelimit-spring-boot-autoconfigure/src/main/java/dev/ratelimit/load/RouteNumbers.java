package dev.ratelimit.load;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * Assigns numbers to the path patterns of the handlers of requests. Thread-safe.
 */
final class RouteNumbers {

	private static final int LAST = LoadGuard.ROUTES - 1;

	private final Map<Object, Integer> numbers = new ConcurrentHashMap<>();

	int of(@Nullable Object pattern) {
		if (pattern == null) {
			return LAST;
		}
		Integer existing = this.numbers.get(pattern);
		return (existing != null) ? existing : next(pattern);
	}

	private int next(Object pattern) {
		synchronized (this.numbers) {
			int next = Math.min(this.numbers.size(), LAST);
			Integer before = (next < LAST) ? this.numbers.putIfAbsent(pattern, next) : null;
			return (before != null) ? before : next;
		}
	}

}
