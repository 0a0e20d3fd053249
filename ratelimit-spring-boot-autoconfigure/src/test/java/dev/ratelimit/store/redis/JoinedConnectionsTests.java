package dev.ratelimit.store.redis;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.StoreStageContract;
import dev.ratelimit.test.redis.TestRedis;
import dev.ratelimit.test.redis.TestSentinel;
import dev.ratelimit.test.redis.TestTlsRedis;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the store contract for decisions that share a call with other decisions, on each
 * kind of connection to one server.
 */
@Tag("redis")
class JoinedConnectionsTests {

	/**
	 * The contract over one kind of connection.
	 */
	@TestInstance(Lifecycle.PER_CLASS)
	abstract static class AbstractConnectionTests implements StoreStageContract {

		private static final long TODAY = 60_000_000_000L;

		private final AtomicLong clock = new AtomicLong(TODAY);

		private RedisFixture fixture;

		private RedisLimitStore store;

		abstract RedisConnectionSettings settings();

		abstract TestRedis server();

		void connect() {
			this.fixture = new RedisFixture(settings()).connected();
		}

		@BeforeEach
		void empty() {
			server().command("FLUSHALL");
			this.clock.set(TODAY);
			this.store = this.fixture.joined(this.clock::get);
		}

		@AfterAll
		void disconnect() {
			this.fixture.close();
		}

		@Override
		public LimitStore store() {
			return this.store;
		}

		@Override
		public void at(long millis) {
			this.clock.set(TODAY + millis);
		}

		@Override
		public long remembered() {
			return server().keys("rl:test:*").size();
		}

	}

	@Nested
	class OfProtocol2 extends AbstractConnectionTests {

		@BeforeAll
		@Override
		void connect() {
			super.connect();
		}

		@Override
		RedisConnectionSettings settings() {
			ClientOptions options = ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build();
			return new RedisConnectionSettings(List.of(RedisURI.create(server().host(), server().port())), false,
					options, Optional.empty());
		}

		@Override
		TestRedis server() {
			return TestRedis.shared();
		}

	}

	@Nested
	@Tag("long")
	@Tag("nightly")
	class WithTls extends AbstractConnectionTests {

		private TestTlsRedis tls;

		@BeforeAll
		void start(@TempDir Path directory) {
			this.tls = TestTlsRedis.start(directory);
			connect();
		}

		@AfterAll
		void stop() {
			this.tls.close();
		}

		@Override
		RedisConnectionSettings settings() {
			RedisURI uri = RedisURI.builder().withHost(this.tls.host()).withPort(this.tls.port()).withSsl(true).build();
			SslOptions trust = SslOptions.builder().trustManager(this.tls.certificate().toFile()).build();
			return new RedisConnectionSettings(List.of(uri), false, ClientOptions.builder().sslOptions(trust).build(),
					Optional.empty());
		}

		@Override
		TestRedis server() {
			return this.tls.plain();
		}

	}

	@Nested
	@Tag("long")
	@Tag("nightly")
	class FoundBySentinels extends AbstractConnectionTests {

		private TestSentinel group;

		@BeforeAll
		void start() {
			this.group = TestSentinel.startSteady();
			connect();
		}

		@AfterAll
		void stop() {
			this.group.close();
		}

		@Override
		RedisConnectionSettings settings() {
			return RedisFixture.settings(this.group);
		}

		@Override
		TestRedis server() {
			return this.group.master();
		}

	}

}
