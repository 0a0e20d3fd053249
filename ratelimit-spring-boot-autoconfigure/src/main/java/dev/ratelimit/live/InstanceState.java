package dev.ratelimit.live;

import java.util.List;
import java.util.Optional;

/**
 * Internal: the report of an instance about the rules that it applies. Immutable.
 *
 * @param id the random id of the instance
 * @param host the name of its host
 * @param version the version of the source that is active
 * @param digest identifies the effective rules
 * @param base identifies the rules of the application itself
 * @param document identifies the content of the active document; empty without one
 * @param lagMillis the delay with which the last version became active, in milliseconds
 * @param rejected the reason for which the newest version was rejected; empty if it was
 * not
 * @param notApplied ids of entries that this instance does not apply
 */
public record InstanceState(String id, String host, long version, String digest, String base, String document,
		long lagMillis, Optional<String> rejected, List<String> notApplied) {

	public InstanceState {
		notApplied = List.copyOf(notApplied);
	}

}
