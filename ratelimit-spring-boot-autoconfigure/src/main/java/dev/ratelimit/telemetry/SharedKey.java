package dev.ratelimit.telemetry;

import java.util.concurrent.CompletableFuture;

/**
 * Provides the random key that all instances share. Thread-safe.
 */
@FunctionalInterface
interface SharedKey {

	/** Uses the proposed key, without other instances. */
	SharedKey OWN = CompletableFuture::completedFuture;

	/**
	 * Agree with the other instances on a key.
	 * @param proposed the key to use if there is none yet
	 * @return the key that all instances use; fails if they cannot be read
	 */
	CompletableFuture<byte[]> agree(byte[] proposed);

}
