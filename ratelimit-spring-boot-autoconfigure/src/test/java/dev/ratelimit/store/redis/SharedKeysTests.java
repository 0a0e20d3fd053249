package dev.ratelimit.store.redis;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.fault.FaultProxy;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import io.lettuce.core.RedisURI;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("redis")
@RedisTest
class SharedKeysTests {

	private FaultProxy proxy;

	private RedisConnector connector;

	private SharedKeys keys;

	@BeforeEach
	void start(TestRedis redis) {
		this.proxy = FaultProxy.to(redis.host(), redis.port());
		this.connector = new RedisConnector(
				LiveConnection.settings(RedisURI.create(this.proxy.host(), this.proxy.port())));
		this.keys = new SharedKeys(this.connector, "rl:test", "live", RedisClock.SERVER, InstantSource.system());
	}

	@AfterEach
	void stop() {
		this.connector.close();
		this.proxy.close();
	}

	// A busy instance may read the greeting of the server too late.
	@Test
	void aConnectionThatIsLateIsOpenedOnceMore() {
		this.proxy.stall();
		CompletableFuture<SharedSession> opened = CompletableFuture.supplyAsync(this.keys::open);
		Awaitility.await().until(() -> this.proxy.connections() == 2);
		this.proxy.heal();
		assertThat(opened).succeedsWithin(Duration.ofSeconds(10))
			.satisfies((session) -> assertThat(session.hash("head")).isEqualTo(Map.of()));
	}

	@Test
	void aServerThatDoesNotRespondIsReportedAsSuch() {
		this.proxy.blackHole();
		assertThat(CompletableFuture.supplyAsync(this.keys::open)).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class, (ex) -> assertThat(ex.kind()).isEqualTo(Kind.TIMEOUT));
	}

}
