package dev.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RedisTest
class RejectionCountsTests {

	private static final String PREFIX = "rl:top";

	private static final String MINUTE = PREFIX + ":{top}:29000000";

	private static final String KEY = PREFIX + ":{top}:key";

	private RedisFixture fixture;

	private RejectionCounts counts;

	@BeforeEach
	void connect(TestRedis redis) {
		this.fixture = RedisFixture.connected(redis);
		this.counts = new RejectionCounts(this.fixture.connector(), PREFIX);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void countsAreAddedUpForTwoHours(TestRedis redis) {
		this.counts.add(29_000_000, Map.of("search user:1", 3L, "search user:2", 1L)).join();
		this.counts.add(29_000_000, Map.of("search user:1", 4L, "missed", 2L)).join();
		assertThat(this.counts.read(29_000_000).join())
			.isEqualTo(Map.of("search user:1", 7L, "search user:2", 1L, "missed", 2L));
		assertThat(this.counts.read(29_000_001).join()).isEmpty();
		assertThat(Long.parseLong(redis.command("PTTL", MINUTE))).isBetween(7_100_000L, 7_200_000L);
	}

	@Test
	void theLargestAreKeptAndWhatWasMissed() {
		Map<String, Long> first = new HashMap<>();
		for (int i = 0; i < 2000; i++) {
			first.put("search user:" + i, 10L + i);
		}
		this.counts.add(29_000_000, first).join();
		this.counts.add(29_000_000, Map.of("missed", 1L, "search user:new", 5L, "search user:0", 1000L)).join();
		Map<String, Long> kept = this.counts.read(29_000_000).join();
		assertThat(kept.keySet()).filteredOn((name) -> name.startsWith("search ")).hasSize(2000);
		assertThat(kept).containsEntry("missed", 1L)
			.containsEntry("search user:0", 1010L)
			.doesNotContainKey("search user:new")
			.containsKey("search user:1999");
	}

	@Test
	void namesAreAnyText() {
		String name = "search user:zoë|ip:2001:db8::/64";
		this.counts.add(29_000_000, Map.of(name, 1L)).join();
		assertThat(this.counts.read(29_000_000).join()).containsOnlyKeys(name);
	}

	@Test
	void theFirstKeyIsEverybodysAndIsKeptWhileItIsUsed(TestRedis redis) {
		byte[] one = "\u0000one".getBytes(StandardCharsets.ISO_8859_1);
		byte[] two = "two".getBytes(StandardCharsets.US_ASCII);
		assertThat(this.counts.agree(one).join()).isEqualTo(one);
		redis.command("PEXPIRE", KEY, "60000");
		assertThat(this.counts.agree(two).join()).isEqualTo(one);
		assertThat(Long.parseLong(redis.command("PTTL", KEY))).isGreaterThan(7_200_000L);
		redis.command("DEL", KEY);
		assertThat(this.counts.agree(one).join()).isEqualTo(one);
	}

	@Test
	void nothingBlocksWithoutAConnection(TestRedis redis) {
		try (RedisFixture unconnected = new RedisFixture(redis)) {
			RejectionCounts away = new RejectionCounts(unconnected.connector(), PREFIX);
			assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> away.read(1).join())
				.withCauseInstanceOf(StoreException.class);
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> away.add(1, Map.of("missed", 1L)).join())
				.withCauseInstanceOf(StoreException.class);
		}
	}

}
