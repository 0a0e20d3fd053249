package dev.ratelimit.client;

import java.net.URI;
import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/**
 * The times until which origins have no remaining units. Stores a bounded number of
 * recently used origins. Thread-safe.
 */
final class Throttle {

	private static final int MAX_ORIGINS = 1000;

	private final RetryTime time;

	/** Ends of pauses by origin, in nanoseconds of the monotonic clock. */
	private final Cache<String, Long> ends = Caffeine.newBuilder()
		.maximumSize(MAX_ORIGINS)
		.executor(Runnable::run)
		.build();

	Throttle(RetryTime time) {
		this.time = time;
	}

	static String origin(URI uri) {
		UrlPattern.Origin origin = UrlPattern.Origin.of(uri);
		return origin.scheme() + "://" + origin.host() + ":" + origin.port();
	}

	void pause(String origin, Duration pause) {
		long end = this.time.nanoTime() + pause.toNanos();
		this.ends.asMap().merge(origin, end, (present, next) -> (next - present > 0) ? next : present);
	}

	// Returns zero if there is no pause, or the pause has ended.
	Duration left(String origin) {
		@Nullable Long end = this.ends.getIfPresent(origin);
		if (end == null) {
			return Duration.ZERO;
		}
		long left = end - this.time.nanoTime();
		if (left <= 0) {
			this.ends.asMap().remove(origin, end);
			return Duration.ZERO;
		}
		return Duration.ofNanos(left);
	}

	long size() {
		this.ends.cleanUp();
		return this.ends.estimatedSize();
	}

}
