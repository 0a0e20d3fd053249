package dev.ratelimit.store;

/**
 * Remembers that a request with this idempotency key has paid. Only allowed requests
 * leave a marker. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param owner the subject whose markers are counted together
 * @param id a keyed hash of the client, the operation and the idempotency key
 * @param ttlMillis how long it is remembered; replays do not extend it
 * @param maxReplays how many retries it lets pass
 * @param maxMarkers how many markers an owner may have at a time; beyond, requests are
 * charged and not remembered
 * @since 0.1.0
 */
public record ReplayMarker(String owner, String id, long ttlMillis, int maxReplays, int maxMarkers) {

	public ReplayMarker {
		if (maxReplays < 0 || maxReplays > 999) {
			throw new IllegalArgumentException("the number of replays must have at most three digits");
		}
	}

}
