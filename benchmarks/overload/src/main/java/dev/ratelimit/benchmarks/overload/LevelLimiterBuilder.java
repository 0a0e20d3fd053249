package dev.ratelimit.benchmarks.overload;

import com.netflix.concurrency.limits.limiter.AbstractPartitionedLimiter;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Partitions a limit by the levels of requests, with the default shares of the library's
 * load guard.
 */
final class LevelLimiterBuilder extends AbstractPartitionedLimiter.Builder<LevelLimiterBuilder, HttpServletRequest> {

	LevelLimiterBuilder() {
		partitionResolver(LevelLimiterBuilder::level);
		partition("critical", 0.4);
		partition("high", 0.3);
		partition("normal", 0.25);
		partition("low", 0.05);
	}

	// Return "critical" for "/critical/work".
	private static String level(HttpServletRequest request) {
		String path = request.getRequestURI();
		return path.substring(1, path.indexOf('/', 1));
	}

	@Override
	protected LevelLimiterBuilder self() {
		return this;
	}

}
