package dev.ratelimit.live;

import java.util.OptionalLong;

/**
 * The result of writing a {@link RuleEdit}.
 *
 * @since 0.1.0
 */
public sealed interface WriteResult {

	/**
	 * The edit was written.
	 *
	 * @param version the version of the new document
	 * @param activateAtMillis the time at which all instances make it active, in
	 * milliseconds since the epoch by the clock of the source; empty for immediate
	 * activation
	 */
	record Written(long version, OptionalLong activateAtMillis) implements WriteResult {
	}

	/**
	 * Another instance has written a newer version; the edit was not written.
	 *
	 * @param head the version of the present document
	 */
	record Outdated(long head) implements WriteResult {
	}

}
