package dev.ratelimit.test.redis;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("redis")
class TestRedisTests {

	@Test
	void serversAreApart() {
		try (TestRedis first = TestRedis.start(); TestRedis second = TestRedis.start()) {
			first.command("SET", "key", "value");
			assertThat(second.command("GET", "key")).isEqualTo("(nil)");
			assertThat(first.port()).isNotEqualTo(second.port());
		}
	}

	@Test
	void argumentsReachTheServer() {
		try (TestRedis redis = TestRedis.start("--maxmemory", "3mb", "--maxmemory-policy", "noeviction")) {
			assertThat(redis.command("CONFIG", "GET", "maxmemory")).isEqualTo("maxmemory\n3145728");
			assertThat(redis.command("CONFIG", "GET", "save")).isEqualTo("save\n");
		}
	}

	@Test
	void killedServerIsGoneAndComesBackEmptyOnItsPort() {
		try (TestRedis redis = TestRedis.start()) {
			int port = redis.port();
			redis.command("SET", "key", "value");
			redis.kill();
			assertThatNoConnection(redis);
			redis.restart();
			assertThat(redis.port()).isEqualTo(port);
			assertThat(redis.command("GET", "key")).isEqualTo("(nil)");
		}
	}

	@Test
	void killCutsOpenConnections() {
		try (TestRedis redis = TestRedis.start(); RespClient client = connect(redis)) {
			assertThat(client.call("PING")).isEqualTo("PONG");
			redis.kill();
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> client.call("PING"));
		}
	}

	@Test
	void pausedServerAcceptsAndStaysSilentUntilResumed() {
		try (TestRedis redis = TestRedis.start(); RespClient open = connect(redis)) {
			redis.command("SET", "key", "value");
			redis.pause();
			assertThatStaysSilent(redis);
			redis.resume();
			assertThat(open.call("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	void pausedServerCanBeRestarted() {
		try (TestRedis redis = TestRedis.start()) {
			redis.pause();
			redis.restart();
			assertThat(redis.command("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void pausedServerCanBeClosed() {
		TestRedis redis = TestRedis.start();
		redis.pause();
		redis.close();
		assertThatNoConnection(redis);
	}

	@Test
	void stoppedServerCanBeRestarted() {
		try (TestRedis redis = TestRedis.start()) {
			redis.stop();
			assertThatNoConnection(redis);
			redis.restart();
			assertThat(redis.command("PING")).isEqualTo("PONG");
		}
	}

	@Test
	void serverThatAppendsToAFileComesBackWithItsData() {
		try (TestRedis redis = TestRedis.start(TestRedis.APPENDING)) {
			redis.command("SET", "key", "value");
			redis.kill();
			redis.restart();
			assertThat(redis.command("GET", "key")).isEqualTo("value");
		}
	}

	@Test
	void serverThatLoadsSlowlyIsThereBeforeItIsReady() {
		try (TestRedis redis = TestRedis.start(TestRedis.LOADING_SLOWLY)) {
			redis.fillForLoading();
			redis.restartUnready();
			assertThatIllegalStateException().isThrownBy(() -> redis.command("PING"))
				.withMessageStartingWith("LOADING");
			Awaitility.await().ignoreExceptions().until(() -> redis.command("PING").equals("PONG"));
			assertThat(redis.command("DBSIZE")).isEqualTo("15");
		}
	}

	@Test
	void serverSaysWhatItIs() {
		assertThat(TestRedis.shared().info("role")).isEqualTo("master");
		assertThatIllegalStateException().isThrownBy(() -> TestRedis.shared().info("no-such-field"));
	}

	@Test
	void sharedServerCannotBeHarmed() {
		TestRedis shared = TestRedis.shared();
		assertThat(TestRedis.shared()).isSameAs(shared);
		assertThatIllegalStateException().isThrownBy(shared::close).withMessageContaining("TestRedis.start()");
		assertThatIllegalStateException().isThrownBy(shared::kill);
		assertThat(shared.command("PING")).isEqualTo("PONG");
	}

	private static void assertThatStaysSilent(TestRedis redis) {
		try (RespClient client = connect(redis)) {
			client.timeout(Duration.ofMillis(300));
			assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> client.call("PING"))
				.withCauseInstanceOf(SocketTimeoutException.class);
		}
	}

	private static void assertThatNoConnection(TestRedis redis) {
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> redis.command("PING"));
	}

	private static RespClient connect(TestRedis redis) {
		return RespClient.connect(redis.host(), redis.port(), Duration.ofSeconds(30));
	}

}
