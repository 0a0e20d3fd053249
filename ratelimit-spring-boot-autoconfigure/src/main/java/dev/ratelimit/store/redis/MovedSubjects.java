package dev.ratelimit.store.redis;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/**
 * The subjects whose usage under former limits was moved already, so that only the first
 * request of each subject moves it. The number of subjects is bounded. Moving the usage
 * of a forgotten subject again changes nothing. Thread-safe.
 */
final class MovedSubjects {

	private static final int MAX_SUBJECTS = 65_536;

	/** The subjects of a limit that has not changed. */
	static final MovedSubjects ALL = new MovedSubjects(null);

	/** Null once no former limit matters. */
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
