package dev.ratelimit.http;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Concurrent requests in the ways that only WebFlux has: it notices at once that a client
 * has gone.
 */
interface ReactiveLeaseContract extends LeaseContract {

	@ParameterizedTest
	@ValueSource(strings = { "future", "mono" })
	default void clientsThatGoAwayHoldNothingAlthoughTheHandlersAreNotDone(String how) throws Exception {
		leaveWhileUnderWay("/leases/" + how);
		awaitAllFree();
		handlers().finish(key());
		awaitAllFree();
	}

}
