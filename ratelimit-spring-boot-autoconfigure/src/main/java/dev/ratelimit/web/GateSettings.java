package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.engine.RetryKey;
import dev.ratelimit.gate.CallReader;
import dev.ratelimit.gate.PartitionKeys;

/**
 * Internal: the settings of a gate for HTTP requests. Immutable.
 *
 * @param resolvers the resolvers of the application that rules may reference
 * @param callers identifies clients, and finds the clients that no rule limits
 * @param idempotencyKeys the reader of idempotency keys
 * @param managementPaths the paths that management serves
 * @param phased whether authentication runs between the phases; otherwise all rules are
 * late
 * @param observer observes requests
 * @param partitionKeys identifies clients in header fields
 * @param levels finds the levels of requests
 * @param preflightHeaders the headers that exempt CORS preflights may have even if keys
 * read them
 */
public record GateSettings(Resolvers resolvers, Callers callers, IdempotencyKeys idempotencyKeys,
		ManagementPaths managementPaths, boolean phased, RequestObserver observer, PartitionKeys partitionKeys,
		Levels levels, List<String> preflightHeaders) implements CallReader<GateRequest> {

	/**
	 * Copies the headers.
	 */
	public GateSettings {
		preflightHeaders = List.copyOf(preflightHeaders);
	}

	/**
	 * Create settings under which all requests have the level of their handler.
	 * @param resolvers the resolvers of the application that rules may reference
	 * @param callers identifies clients, and finds the clients that no rule limits
	 * @param idempotencyKeys the reader of idempotency keys
	 * @param managementPaths the paths that management serves
	 * @param phased whether authentication runs between the phases
	 * @param observer observes requests
	 * @param partitionKeys identifies clients in header fields
	 */
	public GateSettings(Resolvers resolvers, Callers callers, IdempotencyKeys idempotencyKeys,
			ManagementPaths managementPaths, boolean phased, RequestObserver observer, PartitionKeys partitionKeys) {
		this(resolvers, callers, idempotencyKeys, managementPaths, phased, observer, partitionKeys, Levels.NONE,
				List.of());
	}

	/**
	 * Return settings without access lists, observer, and partition keys.
	 * @param resolvers the resolvers of the application that rules may reference
	 * @param idempotencyKeys the reader of idempotency keys
	 * @param managementPaths the paths that management serves
	 * @param phased whether authentication runs between the phases
	 * @return the settings
	 */
	public static GateSettings of(Resolvers resolvers, IdempotencyKeys idempotencyKeys, ManagementPaths managementPaths,
			boolean phased) {
		return new GateSettings(resolvers, Callers.EQUAL, idempotencyKeys, managementPaths, phased,
				RequestObserver.NONE, PartitionKeys.NONE);
	}

	boolean levelsByPrincipal() {
		return this.levels.needPrincipal();
	}

	@Override
	public boolean waits() {
		return true;
	}

	@Override
	public Optional<String> plan(GateRequest request) {
		return this.resolvers.plan().flatMap((resolver) -> resolver.plan(request));
	}

	@Override
	public Optional<RetryKey> retryKey(GateRequest request) {
		return this.idempotencyKeys.read(request);
	}

}
