package dev.ratelimit.test.fault;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.RespClient;
import dev.ratelimit.test.redis.TestRedis;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RedisTest
class FaultProxyTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final Duration SHORT = Duration.ofMillis(200);

	private final TestRedis redis = TestRedis.shared();

	private final FaultProxy proxy = FaultProxy.to(this.redis.host(), this.redis.port());

	@AfterEach
	void close() {
		this.proxy.close();
		assertThat(this.proxy.connections()).isZero();
	}

	@Test
	void withoutFaultsAllPassesOnEachConnection() {
		List<RespClient> clients = Stream.generate(() -> connect()).limit(5).toList();
		clients.forEach((client) -> assertThat(client.call("INCR", "count")).isNotEmpty());
		assertThat(clients.get(0).call("GET", "count")).isEqualTo("5");
		String large = "x".repeat(3_000_000);
		assertThat(clients.get(1).call("ECHO", large)).isEqualTo(large);
		assertThat(this.proxy.connections()).isEqualTo(5);
		clients.forEach(RespClient::close);
		Awaitility.await().until(() -> this.proxy.connections() == 0);
	}

	@Test
	void aServerThatGoesAwayClosesItsConnectionsAndAnotherTakesItsPlace() {
		try (TestRedis first = TestRedis.start();
				TestRedis second = TestRedis.start();
				FaultProxy proxy = FaultProxy.to(first.host(), first.port());
				RespClient client = connect(proxy)) {
			first.command("SET", "name", "first");
			second.command("SET", "name", "second");
			assertThat(client.call("GET", "name")).isEqualTo("first");
			proxy.upstream(second.port());
			assertThat(client.call("GET", "name")).isEqualTo("first");
			first.kill();
			assertThatFails(client::receive, EOFException.class);
			try (RespClient other = connect(proxy)) {
				assertThat(other.call("GET", "name")).isEqualTo("second");
			}
			second.kill();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> connect(proxy).call("PING"));
		}
	}

	@Test
	void aDelayHoldsEachWayForEachMessageAndKeepsOrderAndThroughput() {
		try (RespClient client = connect()) {
			this.proxy.delay(Duration.ofMillis(100));
			long start = System.nanoTime();
			for (int i = 1; i <= 1000; i++) {
				client.send("INCR", "count");
			}
			assertThat(client.receive()).isEqualTo("1");
			assertThat(System.nanoTime() - start).isGreaterThan(Duration.ofMillis(200).toNanos());
			for (int i = 2; i <= 1000; i++) {
				assertThat(client.receive()).isEqualTo(String.valueOf(i));
			}
			// A delay of each message after the other would take 200 seconds.
			assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(100).toNanos());
			this.proxy.delay(Duration.ofHours(1));
			this.proxy.heal();
			assertThat(client.call("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void aStallHoldsWhatOldAndNewConnectionsSendAndDeliversItAfterwards() {
		try (RespClient before = connect()) {
			assertThat(before.call("PING")).isEqualTo("PONG");
			this.proxy.stall();
			try (RespClient during = connect()) {
				before.send("INCR", "count");
				during.send("INCR", "count");
				assertThatStaysSilent(before, before::receive);
				assertThatStaysSilent(during, during::receive);
				assertThat(this.redis.command("GET", "count")).isEqualTo("(nil)");
				this.proxy.heal();
				assertThat(List.of(before.receive(), during.receive())).containsExactlyInAnyOrder("1", "2");
			}
		}
	}

	@Test
	void blackHoleLosesMessagesButNotNewConnections() {
		try (RespClient before = connect()) {
			assertThat(before.call("PING")).isEqualTo("PONG");
			this.proxy.blackHole();
			try (RespClient during = connect()) {
				assertThatStaysSilent(before, () -> before.call("INCR", "count"));
				assertThatStaysSilent(during, () -> during.call("INCR", "count"));
				this.proxy.heal();
				assertThatStaysSilent(before, () -> before.call("INCR", "count"));
				assertThatStaysSilent(during, () -> during.call("INCR", "count"));
			}
		}
		try (RespClient after = connect()) {
			assertThat(after.call("INCR", "count")).isEqualTo("1");
		}
	}

	@Test
	void aResetEndsOpenConnectionsWithAnRstAndNoOthers() {
		try (RespClient before = connect()) {
			assertThat(before.call("PING")).isEqualTo("PONG");
			this.proxy.reset();
			assertThatFails(before::receive, SocketException.class);
			try (RespClient after = connect()) {
				assertThat(after.call("PING")).isEqualTo("PONG");
			}
		}
	}

	@Test
	void refusedClientCannotConnectUntilTheFaultHeals() {
		try (RespClient before = connect()) {
			assertThat(before.call("PING")).isEqualTo("PONG");
			this.proxy.refuse();
			assertThatFails(before::receive, SocketException.class);
			assertThatFails(() -> connect(), ConnectException.class);
		}
		this.proxy.heal();
		try (RespClient after = connect()) {
			assertThat(after.call("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void aReplyIsCutWithinAndItsConnectionCloses() {
		try (RespClient before = connect()) {
			this.proxy.cutReplies(9);
			assertThat(before.call("PING")).isEqualTo("PONG");
			assertThatFails(() -> before.call("INCR", "count"), EOFException.class);
		}
		try (RespClient during = connect()) {
			assertThat(during.call("PING")).isEqualTo("PONG");
			assertThatFails(() -> during.call("INCR", "count"), EOFException.class);
		}
		this.proxy.heal();
		try (RespClient after = connect()) {
			after.call("PING");
			assertThat(after.call("INCR", "count")).isEqualTo("3");
		}
	}

	@Test
	void repliesAreDroppedAfterTheServerHasDoneWhatWasAskedAndThenTheConnectionIsReset() {
		try (RespClient before = connect()) {
			assertThat(before.call("INCR", "count")).isEqualTo("1");
			this.proxy.dropReplies(2);
			assertThatStaysSilent(before, () -> before.call("INCR", "count"));
			assertThatFails(() -> before.call("INCR", "count"), SocketException.class);
		}
		try (RespClient after = connect()) {
			assertThat(after.call("INCR", "count")).isEqualTo("4");
		}
	}

	@Test
	void aMutedConnectionStaysOpenAndNeverAnswersThoughItsRequestsAreServed() {
		try (RespClient before = connect()) {
			assertThat(before.call("INCR", "count")).isEqualTo("1");
			this.proxy.muteReplies();
			assertThatStaysSilent(before, () -> before.call("INCR", "count"));
			this.proxy.heal();
			assertThatStaysSilent(before, () -> before.call("INCR", "count"));
			Awaitility.await().until(() -> this.redis.command("GET", "count").equals("3"));
			try (RespClient after = connect()) {
				assertThat(after.call("INCR", "count")).isEqualTo("4");
			}
		}
	}

	@Test
	void noThreadIsLeft() {
		try (RespClient client = connect()) {
			client.call("PING");
			this.proxy.stall();
			client.send("PING");
			this.proxy.close();
		}
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().equals("fault-proxy")));
	}

	private RespClient connect() {
		return connect(this.proxy);
	}

	private static RespClient connect(FaultProxy proxy) {
		return RespClient.connect(proxy.host(), proxy.port(), TIMEOUT);
	}

	private static void assertThatStaysSilent(RespClient client, ThrowingCallable call) {
		client.timeout(SHORT);
		assertThatFails(call, SocketTimeoutException.class);
		client.timeout(TIMEOUT);
	}

	private static void assertThatFails(ThrowingCallable call, Class<? extends Throwable> cause) {
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(call).withCauseInstanceOf(cause);
	}

}
