package dev.ratelimit.http;

import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.ratelimit.RateLimiter;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests limits of concurrent requests: three at a time for each client.
 */
interface LeaseContract {

	/** Starts a thread for each request, so that waiting requests do not block others. */
	Executor THREADS = (request) -> new Thread(request).start();

	HttpProbe http();

	String key();

	RateLimiter limiter();

	SlowHandlers handlers();

	@ParameterizedTest
	@ValueSource(strings = { "future", "mono", "status" })
	default void asManyAsTheLimitAreUnderWayAtATime(String how) {
		allowsThreeAtATime("/leases/" + how);
	}

	default void allowsThreeAtATime(String path) {
		for (int round = 0; round < 2; round++) {
			List<CompletableFuture<Reply>> replies = start(3, path);
			awaitUnderWay(3);
			assertThat(remaining("leases")).isZero();
			for (int i = 0; i < 3; i++) {
				Reply rejected = get(path);
				assertThat(rejected.statusCode()).isEqualTo(429);
				assertThat(rejected.header("Retry-After")).isEqualTo("1");
				assertThat(rejected.header("RateLimit")).isEqualTo("\"leases\";r=0");
			}
			handlers().finish(key());
			assertThat(replies).allSatisfy((reply) -> assertThat(reply.join().statusCode()).isIn(200, 418));
			awaitAllFree();
			handlers().underWay(key()).clear();
		}
	}

	@Test
	default void oneThatEndsMakesRoomForOne() {
		List<CompletableFuture<Reply>> replies = start(3, "/leases/future");
		awaitUnderWay(3);
		handlers().underWay(key()).get(1).complete("first");
		soon().untilAsserted(() -> assertThat(remaining("leases")).isEqualTo(1));
		replies.addAll(start(1, "/leases/future"));
		awaitUnderWay(4);
		assertThat(get("/leases/future").statusCode()).isEqualTo(429);
		handlers().finish(key());
		replies.forEach(CompletableFuture::join);
		awaitAllFree();
	}

	@ParameterizedTest
	@ValueSource(strings = { "done", "failed", "thrown" })
	default void requestThatEndsImmediatelyHoldsNoSlot(String how) {
		for (int i = 0; i < 5; i++) {
			Reply reply = get("/leases/at-once/" + how);
			assertThat(reply.statusCode()).isEqualTo((how.equals("done")) ? 200 : 500);
			awaitAllFree();
		}
	}

	@Test
	default void aHandlerThatFailsLaterHoldsNothing() {
		List<CompletableFuture<Reply>> replies = start(3, "/leases/mono");
		awaitUnderWay(3);
		handlers().underWay(key())
			.forEach((request) -> request.completeExceptionally(new IllegalStateException("on purpose")));
		assertThat(replies).allSatisfy((reply) -> assertThat(reply.join().statusCode()).isEqualTo(500));
		awaitAllFree();
	}

	@Test
	default void requestRejectedByAnotherRuleHoldsNoSlot() {
		List<CompletableFuture<Reply>> replies = start(1, "/leases/daily");
		awaitUnderWay(1);
		handlers().finish(key());
		replies.get(0).join();
		awaitAllFree();
		for (int i = 0; i < 5; i++) {
			assertThat(get("/leases/daily").statusCode()).isEqualTo(429);
			assertThat(remaining("leases")).isEqualTo(3);
		}
	}

	@Test
	default void aShortageOfTheServerIsSaidToBeOne() {
		List<CompletableFuture<Reply>> replies = start(1, "/leases/everybodys");
		awaitUnderWay(1);
		Reply rejected = get("/leases/everybodys");
		assertThat(rejected.statusCode()).isEqualTo(503);
		assertThat(rejected.header("Retry-After")).isEqualTo("1");
		handlers().finish(key());
		replies.get(0).join();
		soon().untilAsserted(() -> assertThat(limiter().peek("leases-everybodys", "global").block().verdicts())
			.allSatisfy((verdict) -> assertThat(verdict.remaining()).isEqualTo(1)));
	}

	@Test
	default void clientsThatGoAwayHoldNothingOnceTheHandlersAreDone() throws Exception {
		leaveWhileUnderWay("/leases/future");
		handlers().finish(key());
		awaitAllFree();
	}

	default void leaveWhileUnderWay(String path) throws Exception {
		List<Socket> sockets = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			sockets.add(http().open(path, "X-Key", key()));
		}
		awaitUnderWay(3);
		for (Socket socket : sockets) {
			socket.close();
		}
	}

	@Test
	default void clientsThatGoAwayAtOnceHoldNothing() throws Exception {
		for (int i = 0; i < 200; i++) {
			Socket socket = http().open("/leases/at-once/done", "X-Key", key());
			// The delay grows up to a millisecond, so that clients disconnect at
			// different steps.
			Thread.sleep(0, i * 5_000);
			socket.close();
		}
		awaitAllFree();
	}

	default List<CompletableFuture<Reply>> start(int times, String path) {
		return new ArrayList<>(Collections.nCopies(times, path)
			.stream()
			.map((each) -> CompletableFuture.supplyAsync(() -> get(each), THREADS))
			.toList());
	}

	private Reply get(String path) {
		return http().get(path, "X-Key", key());
	}

	default void awaitUnderWay(int requests) {
		soon().untilAsserted(() -> assertThat(handlers().underWay(key())).hasSize(requests));
	}

	private static ConditionFactory soon() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
	}

	// Slots are released after the response.
	default void awaitAllFree() {
		soon().untilAsserted(() -> assertThat(remaining("leases")).isEqualTo(3));
		soon().untilAsserted(() -> assertThat(remaining("leases-slots")).isEqualTo(100));
	}

	private long remaining(String rule) {
		String subject = (rule.equals("leases")) ? "header:" + key() : "global";
		return limiter().peek(rule, subject).blockOptional().orElseThrow().verdicts().get(0).remaining();
	}

}
