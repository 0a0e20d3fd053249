package dev.ratelimit.telemetry;

import java.util.concurrent.CompletableFuture;

/**
 * Lets all instances use the same random key. Thread-safe.
 */
@FunctionalInterface
interface SharedKey {

	/** The key of an instance that shares nothing. */
	SharedKey OWN = CompletableFuture::completedFuture;

	/**
	 * Agree on a key.
	 * @param proposed the key to use if there is none yet
	 * @return the key that all instances use; fails if they cannot be read
	 */
	CompletableFuture<byte[]> agree(byte[] proposed);

}
