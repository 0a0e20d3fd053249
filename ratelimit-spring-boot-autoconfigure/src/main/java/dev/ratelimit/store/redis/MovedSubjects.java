package dev.ratelimit.store.redis;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/**
 * The subjects whose usage under former limits was moved already, so that only the first
 * request of each pays for it. Remembers so many, and moves others again, which changes
 * nothing. Thread-safe.
 */
final class MovedSubjects {

	private static final int MAX_SUBJECTS = 65_536;

	/** Of a limit that has not changed. */
	static final MovedSubjects ALL = new MovedSubjects(null);

	/** Null once there is nothing to be moved any more. */
	private volatile @Nullable Cache<String, Boolean> moved;

	MovedSubjects() {
		this(Caffeine.newBuilder().maximumSize(MAX_SUBJECTS).executor(Runnable::run).build());
	}

	private MovedSubjects(@Nullable Cache<String, Boolean> moved) {
		this.moved = moved;
	}

	boolean contains(String subject) {
		Cache<String, Boolean> subjects = this.moved;
		return subjects == null || subjects.getIfPresent(subject) != null;
	}

	void add(String subject) {
		Cache<String, Boolean> subjects = this.moved;
		if (subjects != null) {
			subjects.put(subject, true);
		}
	}

	void all() {
		this.moved = null;
	}

}
