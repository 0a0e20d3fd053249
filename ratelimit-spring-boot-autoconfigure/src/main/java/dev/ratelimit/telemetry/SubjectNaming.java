package dev.ratelimit.telemetry;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The names of subjects, which can change. Instances with a random key use the same names
 * after they have agreed on the key. Thread-safe.
 */
final class SubjectNaming {

	private static final int KEY_BYTES = 32;

	private final Optional<SharedKey> shared;

	private volatile Named current;

	private SubjectNaming(Named first, Optional<SharedKey> shared) {
		this.current = first;
		this.shared = shared;
	}

	/**
	 * Return names that do not change.
	 * @param names the names
	 * @return the naming
	 */
	static SubjectNaming of(SubjectNames names) {
		return new SubjectNaming(new Named(new byte[0], names), Optional.empty());
	}

	/**
	 * Return names that are hashed with a random key.
	 * @param shared the key that instances agree on
	 * @return the naming
	 */
	static SubjectNaming random(SharedKey shared) {
		byte[] key = new byte[KEY_BYTES];
		new SecureRandom().nextBytes(key);
		return new SubjectNaming(Named.by(key), Optional.of(shared));
	}

	/**
	 * Return the current names.
	 * @return the names, which may be specific to this instance
	 */
	SubjectNames current() {
		return this.current.names();
	}

	/**
	 * Return the names that all instances use.
	 * @return the names; fails if the instances cannot agree
	 */
	CompletableFuture<SubjectNames> agreed() {
		if (this.shared.isEmpty()) {
			return CompletableFuture.completedFuture(current());
		}
		return this.shared.get().agree(this.current.key()).thenApply(this::use);
	}

	private SubjectNames use(byte[] key) {
		if (!Arrays.equals(key, this.current.key())) {
			this.current = Named.by(key);
		}
		return current();
	}

	private record Named(byte[] key, SubjectNames names) {

		static Named by(byte[] key) {
			return new Named(key, SubjectNames.hashed(key));
		}

	}

}
