package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.ratelimit.Limit;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.test.redis.RedisRights;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the errors of the Redis store when Redis fails, on a separate server.
 */
@Tag("redis")
class RedisFailuresTests {

	// The bucket gets no refill within a test.
	private final BucketFamily family = Demands.family("faults",
			new Limit(Algorithms.DEFAULT, 1000, Duration.ofDays(1), 1000));

	private TestRedis redis;

	private RedisFixture fixture;

	private RedisLimitStore store;

	@BeforeEach
	void start() {
		this.redis = TestRedis.start();
		this.fixture = new RedisFixture(this.redis);
		this.store = this.fixture.store();
	}

	@AfterEach
	void stop() {
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void unlessConnectedThereIsNoConnection() {
		assertThatFails(tryAcquire(), Kind.CONNECTION);
		assertThatFails(this.store.reset(List.of(new Bucket(this.family, "ann"))), Kind.CONNECTION);
	}

	@Test
	void theCheckConnects() {
		warmUp();
		RedisFixture.check(this.store);
		assertThat(tryAcquire().join().allowed()).isTrue();
	}

	@Test
	void theCheckSaysThatThereIsNoServer() {
		warmUp();
		this.redis.kill();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> RedisFixture.check(this.store))
			.extracting(StoreException::kind)
			.isEqualTo(Kind.CONNECTION);
	}

	@Test
	void theCheckEndsAtAServerThatStaysSilent() {
		this.fixture.connected();
		this.redis.pause();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> RedisFixture.check(this.store))
			.extracting(StoreException::kind)
			.isEqualTo(Kind.TIMEOUT);
	}

	@Test
	void aFlushOfTheScriptsCostsNoDecision() {
		this.fixture.connected();
		for (int i = 1; i <= 20; i++) {
			this.redis.command("SCRIPT", "FLUSH");
			AcquireResult answer = tryAcquire().join();
			assertThat(answer.allowed()).isTrue();
			assertThat(answer.verdicts().get(0).remaining()).isEqualTo(1000 - i);
		}
	}

	@Test
	void aKeyOfAnotherTypeIsAWrongThatTakesNothing() {
		this.fixture.connected();
		tryAcquire().join();
		String key = this.redis.command("KEYS", "*faults*");
		this.redis.command("DEL", key);
		this.redis.command("LPUSH", key, "other");
		assertThatFails(tryAcquire(), Kind.SCRIPT);
		assertThat(this.redis.command("LRANGE", key, "0", "-1")).isEqualTo("other");
		this.redis.command("DEL", key);
		assertThat(tryAcquire().join().allowed()).isTrue();
	}

	@Test
	void aKeyThatHoldsNoNumberIsAWrong() {
		this.fixture.connected();
		tryAcquire().join();
		this.redis.command("SET", this.redis.command("KEYS", "*faults*"), "text");
		assertThatFails(tryAcquire(), Kind.SCRIPT);
	}

	@Test
	void aPasswordThatHasChangedIsAWrong() {
		warmUp();
		this.redis.command("ACL", "SETUSER", RedisRights.ON_SERVER.user(), "resetpass", ">other");
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> RedisFixture.check(this.store))
			.extracting(StoreException::kind)
			.isEqualTo(Kind.SCRIPT);
	}

	@Test
	void aServerThatIsOutOfMemoryIsUnavailable() {
		this.fixture.connected();
		this.redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.redis.command("CONFIG", "SET", "maxmemory", "1");
		assertThatFails(tryAcquire(), Kind.CONNECTION);
	}

	@Test
	void aServerThatDiesIsNoticedAtOnceAndFoundAgainByItself() {
		this.fixture.connected();
		this.redis.kill();
		Awaitility.await().until(() -> failsAtOnce());
		assertThatFails(tryAcquire(), Kind.CONNECTION);
		this.redis.restart();
		Awaitility.await().until(() -> tryAcquire().handle((answer, ex) -> ex == null && answer.allowed()).join());
	}

	@Test
	void theConnectionIsTriedAgainTwiceASecond() {
		this.fixture.connected();
		assertThat(this.fixture.connector().connection().getResources().reconnectDelay().createDelay(30))
			.isLessThanOrEqualTo(Duration.ofMillis(500));
	}

	@RepeatedTest(5)
	void aFailedChargeIsNeverSentAgain() {
		this.fixture.connected();
		this.redis.pause();
		CompletableFuture<AcquireResult> waiting = tryAcquire();
		this.redis.restart();
		assertThatFails(waiting, Kind.CONNECTION);
		Awaitility.await().until(() -> !tryAcquire().handle((answer, ex) -> ex != null).join());
		assertThat(this.redis.command("KEYS", "*faults*")).isNotEmpty();
		assertThat(tryAcquire().join().verdicts().get(0).remaining()).isEqualTo(998);
	}

	// The first connection of a JVM takes longer than the check waits.
	private void warmUp() {
		RedisFixture.connected(this.redis).close();
	}

	private boolean failsAtOnce() {
		return tryAcquire().isCompletedExceptionally();
	}

	private CompletableFuture<AcquireResult> tryAcquire() {
		return this.store.acquire(Demands.of(Demands.charge(this.family, "ann", 1)));
	}

	private static void assertThatFails(CompletableFuture<?> future, Kind kind) {
		assertThat(future).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(StoreException.class, (ex) -> assertThat(ex.kind()).isEqualTo(kind));
	}

}
