package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.Limit;
import dev.ratelimit.store.Activation;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Demands;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the cost of a changed limit: one additional call for each subject, and none for
 * subjects that have already moved.
 */
@Tag("redis")
class LimitMoveTests {

	private static final Pattern CALLS = Pattern.compile("cmdstat_eval:calls=([0-9]+)");

	private final TestRedis redis = TestRedis.start();

	private final BucketFamily before = Demands.family("moved", limit(1000));

	private RedisFixture fixture;

	private RedisLimitStore store;

	@BeforeEach
	void connect() {
		this.fixture = RedisFixture.connected(this.redis);
		this.store = this.fixture.store();
		charge(this.before, "warm");
	}

	@AfterEach
	void disconnect() {
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void eachSubjectIsMovedOnce() {
		charge(this.before, "ann");
		BucketFamily after = after(Activation.at(System.nanoTime()));
		long calls = texts();
		for (int i = 0; i < 10; i++) {
			charge(after, "ann");
		}
		assertThat(texts() - calls).isEqualTo(1);
		charge(after, "bob");
		assertThat(texts() - calls).isEqualTo(2);
	}

	// Another region may report a charge before any request here, or a debt may be
	// charged late.
	@Test
	void aChargeThatIsNoDecisionMovesUsageToo() {
		charge(this.before, "ann");
		BucketFamily after = after(Activation.at(System.nanoTime()));
		Bucket bucket = new Bucket(after, "ann");
		this.store.settle(List.of(new Settlement(bucket, System.currentTimeMillis(), 10))).join();
		assertThat(this.store.acquire(Demands.of(Demands.charge(after, "ann", 0))).join().verdicts().get(0).remaining())
			.isEqualTo(1989);
	}

	@Test
	void severalFormerLimitsAreOneCall() {
		charge(this.before, "ann");
		BucketFamily middle = after(Activation.at(System.nanoTime()));
		BucketFamily after = Demands.family("moved", limit(3000)).replacing(middle, Activation.at(System.nanoTime()));
		long calls = texts();
		charge(after, "ann");
		assertThat(texts() - calls).isEqualTo(1);
		assertThat(this.store.acquire(Demands.of(Demands.charge(after, "ann", 0))).join().verdicts().get(0).remaining())
			.isEqualTo(2998);
	}

	@Test
	void nothingIsMovedOnceTheFormerLimitsAreFullAgain() {
		BucketFamily after = after(Activation.at(System.nanoTime() - Duration.ofDays(2).toNanos()));
		long calls = texts();
		charge(after, "ann");
		charge(after, "bob");
		assertThat(texts() - calls).isZero();
	}

	@Test
	void aMoveThatFailedIsTriedAgain() {
		BucketFamily after = after(Activation.at(System.nanoTime()));
		charge(this.before, "ann");
		RedisFixture other = new RedisFixture(this.redis);
		RedisLimitStore unconnected = other.store();
		assertThat(unconnected.acquire(Demands.of(Demands.charge(after, "ann", 1)))).isCompletedExceptionally();
		try (other) {
			other.connected();
			unconnected.acquire(Demands.of(Demands.charge(after, "ann", 1))).join();
			assertThat(unconnected.acquire(Demands.of(Demands.charge(after, "ann", 0))).join().verdicts())
				.extracting("remaining")
				.isEqualTo(List.of(1998L));
		}
	}

	private BucketFamily after(Activation change) {
		return Demands.family("moved", limit(2000)).replacing(this.before, change);
	}

	private static Limit limit(long quantity) {
		return new Limit("token-bucket", quantity, Duration.ofDays(1), quantity);
	}

	private void charge(BucketFamily family, String subject) {
		assertThat(this.store.acquire(Demands.of(Demands.charge(family, subject, 1))).join().allowed()).isTrue();
	}

	// Count the scripts that were sent as text: moves, and the first call of each other
	// script.
	private long texts() {
		Matcher calls = CALLS.matcher(this.redis.command("info", "commandstats"));
		return (calls.find()) ? Long.parseLong(calls.group(1)) : 0;
	}

}
