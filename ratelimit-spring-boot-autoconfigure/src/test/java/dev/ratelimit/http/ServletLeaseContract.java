package dev.ratelimit.http;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests limits of concurrent requests with features that only servlets have.
 */
interface ServletLeaseContract extends LeaseContract {

	@ParameterizedTest
	@ValueSource(strings = { "blocking", "callable", "deferred" })
	default void asManyAsTheLimitAreUnderWayOnServlets(String how) {
		allowsThreeAtATime("/leases/" + how);
	}

	@ParameterizedTest
	@ValueSource(strings = { "blocking", "callable", "deferred" })
	default void clientsThatGoAwayHoldNothingOnServlets(String how) throws Exception {
		leaveWhileUnderWay("/leases/" + how);
		handlers().finish(key());
		awaitAllFree();
	}

	@Test
	default void timedOutRequestHoldsNoSlot() {
		List<CompletableFuture<Reply>> replies = start(1, "/leases/late/deferred");
		replies.addAll(start(1, "/leases/late/callable"));
		replies.addAll(start(1, "/leases/late/answered"));
		assertThat(replies.stream().map((reply) -> reply.join().statusCode())).containsExactly(503, 503, 200);
		awaitAllFree();
		handlers().finish(key());
		requestThatEndsImmediatelyHoldsNoSlot("done");
	}

}
