package dev.ratelimit.test.redis;

import java.io.UncheckedIOException;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@RedisTest
class RespClientTests {

	@Test
	void readsEachKindOfReply(TestRedis redis) {
		assertThat(redis.command("SET", "key", "grüße\r\n€")).isEqualTo("OK");
		assertThat(redis.command("GET", "key")).isEqualTo("grüße\r\n€");
		assertThat(redis.command("GET", "none")).isEqualTo("(nil)");
		assertThat(redis.command("PTTL", "none")).isEqualTo("-2");
		assertThat(redis.command("KEYS", "ke*")).isEqualTo("key");
		assertThat(redis.command("KEYS", "none*")).isEmpty();
		assertThat(redis.command("SCAN", "0", "MATCH", "ke*", "COUNT", "100")).isEqualTo("0\nkey");
		assertThat(redis.command("SCRIPT", "FLUSH")).isEqualTo("OK");
		assertThat(redis.command("CLIENT", "LIST")).contains("addr=");
	}

	@Test
	void errorReplyIsThrown(TestRedis redis) {
		assertThatIllegalStateException().isThrownBy(() -> redis.command("NOSUCH")).withMessageContaining("NOSUCH");
	}

	@Test
	void connectionKeepsItsState(TestRedis redis) {
		try (RespClient client = RespClient.connect(redis.host(), redis.port(), Duration.ofSeconds(5))) {
			assertThat(client.call("CLIENT", "SETNAME", "mine")).isEqualTo("OK");
			assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("mine");
			assertThat(client.call("EVAL", "return {1, {'two'}, false}", "0")).isEqualTo("1\ntwo\n(nil)");
		}
	}

	@Test
	void noServerIsAnException() {
		assertThatExceptionOfType(UncheckedIOException.class)
			.isThrownBy(() -> RespClient.connect("127.0.0.1", 1, Duration.ofSeconds(1)))
			.withMessageContaining("127.0.0.1:1");
	}

}
