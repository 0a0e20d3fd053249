package dev.ratelimit.store;

/**
 * Remembers that a request with this idempotency key was charged. Only allowed requests
 * leave a marker. Immutable.
 * <p>
 * Experimental: may change in any release.
 *
 * @param owner the subject whose markers are counted together
 * @param id a keyed hash of the client, the operation and the idempotency key
 * @param ttlMillis the lifetime of the marker, which replays do not extend
 * @param maxReplays the maximum number of retries that are not charged
 * @param maxMarkers the maximum number of markers of an owner; requests beyond it are
 * charged and leave no marker
 * @since 0.1.0
 */
public record ReplayMarker(String owner, String id, long ttlMillis, int maxReplays, int maxMarkers) {

	public ReplayMarker {
		if (maxReplays < 0 || maxReplays > 999) {
			throw new IllegalArgumentException("the number of replays must have at most three digits");
		}
	}

}
