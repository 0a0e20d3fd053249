package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.base.PropertyChecks;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Retries with an Idempotency-Key, below {@code ratelimit.idempotency}.
 *
 * @param ttl How long a key is remembered, at most 24 hours.
 * @param methods HTTP methods whose keys are honored. By default, POST and PATCH.
 * @param maxReplays Maximum number of free retries of one request, at most 999.
 * @param maxMarkers Maximum number of remembered keys per client.
 * @param syntax Whether a key must be a quoted string (strict), or quotes are optional
 * (lenient).
 */
record IdempotencyProperties(@DefaultValue("24h") Duration ttl, @DefaultValue List<String> methods,
		@DefaultValue("3") int maxReplays, @DefaultValue("1000") int maxMarkers,
		@DefaultValue("lenient") Syntax syntax) {

	private static final Duration MAX_TTL = Duration.ofHours(24);

	public IdempotencyProperties {
		methods = (!methods.isEmpty()) ? List.copyOf(methods) : List.of("POST", "PATCH");
		PropertyChecks.require(PropertyChecks.isPositive(ttl) && ttl.compareTo(MAX_TTL) <= 0, "idempotency.ttl", ttl,
				"it must be between 1 ms and 24 h", "Set how long a retry is recognized, such as 24h.");
		PropertyChecks.require(maxReplays >= 0 && maxReplays <= 999, "idempotency.max-replays", maxReplays,
				"it must be between 0 and 999", "Set the maximum number of free retries of a request, such as 3.");
		PropertyChecks.require(maxMarkers >= 1, "idempotency.max-markers", maxMarkers, "it must be at least 1",
				"Set the maximum number of remembered keys per client, such as 1000.");
	}

	/**
	 * Syntax of an Idempotency-Key.
	 */
	public enum Syntax {

		/** Quoted or bare. */
		LENIENT,

		/** Quoted, as the draft requires. */
		STRICT

	}

}
