package dev.ratelimit.http;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests limits of concurrent requests with features of WebFlux, which immediately notices
 * that a client has disconnected.
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
