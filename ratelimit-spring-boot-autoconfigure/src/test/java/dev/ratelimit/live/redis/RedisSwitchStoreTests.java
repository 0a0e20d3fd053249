package dev.ratelimit.live.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import dev.ratelimit.RuleMode;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleSwitch;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisClock;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RedisTest
class RedisSwitchStoreTests {

	private static final String SWITCHES = LiveInstance.PREFIX + ":{live}:switches";

	private static final Optional<String> SEARCH = Optional.of("search");

	private final List<LiveInstance> instances = new ArrayList<>();

	private Watcher alice;

	private Watcher bob;

	@BeforeEach
	void start(TestRedis redis) {
		this.alice = watcher(redis);
		this.bob = watcher(redis);
	}

	private Watcher watcher(TestRedis redis) {
		return watcher(new LiveInstance(LiveConnection.to(redis)));
	}

	private Watcher watcher(LiveInstance instance) {
		this.instances.add(instance);
		return new Watcher(instance.live().switches());
	}

	@AfterEach
	void stop() {
		this.instances.forEach(LiveInstance::close);
	}

	@Test
	void aSwitchReachesAllInstancesUntilItIsEnded() {
		RuleSwitch search = this.alice.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "alice", "why \"not\"");
		assertThat(search.untilMillis() - this.alice.store.nowMillis()).isBetween(3_590_000L, 3_600_005L);
		RuleSwitch all = this.alice.store.set(Optional.empty(), RuleMode.OFF, Duration.ofHours(1), "bob", "");
		Awaitility.await().until(() -> this.alice.last().size() == 2 && this.bob.last().size() == 2);
		assertThat(this.bob.last()).containsExactlyInAnyOrder(search, all);
		assertThat(this.bob.store.end(Optional.empty())).isTrue();
		Awaitility.await().until(() -> this.alice.last().equals(List.of(search)));
		assertThat(this.bob.store.end(Optional.empty())).isFalse();
		assertThat(this.bob.store.end(Optional.of("other"))).isFalse();
	}

	@Test
	void aSwitchReplacesTheOneOfItsRule() {
		this.alice.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "alice", "");
		RuleSwitch off = this.bob.store.set(SEARCH, RuleMode.OFF, Duration.ofHours(2), "bob", "");
		Awaitility.await().until(() -> this.alice.last().equals(List.of(off)));
	}

	@Test
	void aSwitchEndsByItself(TestRedis redis) {
		this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofHours(1), "alice", "");
		this.alice.store.set(Optional.of("other"), RuleMode.OFF, Duration.ofHours(1), "alice", "");
		Awaitility.await().until(() -> this.bob.last().size() == 2);
		this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofMillis(300), "alice", "");
		Awaitility.await().until(() -> this.bob.last().size() == 1 && this.alice.last().size() == 1);
		assertThat(this.bob.store.end(SEARCH)).isFalse();
		assertThat(redis.command("TTL", SWITCHES)).isEqualTo("-1");
	}

	@Test
	void aSwitchThatWasSetAgainForLessTimeDoesNotComeBack() {
		this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofHours(1), "alice", "");
		Awaitility.await().until(() -> this.alice.last().size() == 1 && this.bob.last().size() == 1);
		this.bob.store.close();
		this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofMillis(300), "alice", "");
		Awaitility.await().until(() -> this.alice.last().isEmpty());
		RuleSwitch other = this.alice.store.set(Optional.of("other"), RuleMode.OFF, Duration.ofHours(1), "alice", "");
		this.bob.store.start(this.bob.told::add);
		Awaitility.await().until(() -> this.bob.last().contains(other));
		RuleSwitch third = this.bob.store.set(Optional.of("third"), RuleMode.OFF, Duration.ofHours(1), "bob", "");
		Awaitility.await().until(() -> this.alice.last().contains(third));
		assertThat(this.alice.last()).containsExactlyInAnyOrder(other, third);
		assertThat(this.bob.store.current().orElseThrow()).containsExactlyInAnyOrder(other, third);
	}

	@Test
	void aSwitchThatHasBeenOverForAWeekIsForgotten(TestRedis redis) {
		redis.command("HSET", SWITCHES, "rule:search", "1000 1 ended");
		this.alice.store.set(Optional.of("other"), RuleMode.OFF, Duration.ofHours(1), "alice", "");
		assertThat(redis.command("HEXISTS", SWITCHES, "rule:search")).isEqualTo("0");
	}

	@Test
	void aNewInstanceLearnsWhatIsSet(TestRedis redis) {
		RuleSwitch search = this.alice.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "alice", "");
		Watcher carol = watcher(redis);
		Awaitility.await().until(() -> carol.last().equals(List.of(search)));
	}

	@Test
	void aRedisThatLostItsDataIsGivenTheSwitchesBack(TestRedis redis) {
		RuleSwitch search = this.alice.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "alice", "note");
		RuleSwitch all = this.alice.store.set(Optional.empty(), RuleMode.OFF, Duration.ofHours(1), "bob", "");
		Awaitility.await().until(() -> this.alice.last().size() == 2 && this.bob.last().size() == 2);
		redis.command("FLUSHALL");
		Awaitility.await().until(() -> redis.command("HLEN", SWITCHES).equals("3"));
		Watcher carol = watcher(redis);
		Awaitility.await().until(() -> carol.last().size() == 2);
		assertThat(carol.last()).containsExactlyInAnyOrder(search, all);
		assertThat(this.alice.told).noneMatch(List::isEmpty);
	}

	@Test
	void aSwitchSetRightAfterTheLossKeepsTheOthers(TestRedis redis) {
		this.alice.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "alice", "note");
		Awaitility.await().until(() -> this.alice.last().size() == 1);
		this.bob.store.close();
		this.alice.store.close();
		redis.command("FLUSHALL");
		this.alice.store.set(Optional.of("other"), RuleMode.OFF, Duration.ofHours(1), "alice", "");
		assertThat(redis.command("HLEN", SWITCHES)).isEqualTo("3");
	}

	@Test
	void switchesSetAfterDataLossReachAllInstances(TestRedis redis) {
		Watcher carol = watcher(redis);
		this.alice.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "alice", "note");
		this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofHours(1), "alice", "note");
		Awaitility.await().until(() -> this.bob.last().size() == 1 && this.alice.last().size() == 1);
		List.of(this.alice, this.bob, carol).forEach((watcher) -> watcher.store.close());
		redis.command("FLUSHALL");
		watcher(redis).store.set(Optional.of("other"), RuleMode.OFF, Duration.ofHours(1), "dave", "");
		this.alice.store.start(this.alice.told::add);
		this.bob.store.start(this.bob.told::add);
		Awaitility.await().until(() -> this.bob.last().size() == 2 && this.alice.last().size() == 2);
	}

	@Test
	void aSwitchThatWasEndedStaysEndedIfRedisLosesTheEnd(TestRedis redis) {
		RuleSwitch search = this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofDays(7), "alice", "");
		Awaitility.await()
			.until(() -> this.bob.last().equals(List.of(search)) && this.alice.last().equals(List.of(search)));
		String before = redis.command("HGET", SWITCHES, "rule:search");
		String counter = redis.command("HGET", SWITCHES, "count");
		assertThat(this.bob.store.end(SEARCH)).isTrue();
		Awaitility.await().until(() -> this.alice.last().isEmpty() && this.bob.last().isEmpty());
		// Restore the state of a replica that had not received the end.
		redis.command("HSET", SWITCHES, "rule:search", before, "count", counter);
		Awaitility.await().until(() -> redis.command("HGET", SWITCHES, "rule:search").endsWith(" ended"));
		assertThat(watcher(redis).store.end(SEARCH)).isFalse();
		assertThat(this.alice.last()).isEmpty();
		assertThat(this.bob.last()).isEmpty();
		RuleSwitch again = this.bob.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "bob", "");
		Awaitility.await().until(() -> this.alice.last().equals(List.of(again)));
	}

	@Test
	void aShorterSwitchThatHasEndedReplacesALongerOneThatAFailoverBringsBack(TestRedis redis) {
		AtomicLong laterMillis = new AtomicLong();
		InstantSource clock = () -> Instant.now().plusMillis(laterMillis.get());
		Watcher carol = watcher(new LiveInstance(LiveConnection.to(redis), RedisClock.CLIENT, clock));
		Watcher dave = watcher(new LiveInstance(LiveConnection.to(redis), RedisClock.CLIENT, clock));
		carol.store.set(SEARCH, RuleMode.OFF, Duration.ofDays(7), "carol", "");
		copy(redis);
		RuleSwitch brief = carol.store.set(SEARCH, RuleMode.OFF, Duration.ofHours(1), "carol", "");
		Awaitility.await().until(() -> dave.last().equals(List.of(brief)));
		laterMillis.set(Duration.ofHours(2).toMillis());
		restoreCopy(redis);
		Awaitility.await()
			.until(() -> redis.command("HGET", SWITCHES, "rule:search").startsWith(brief.untilMillis() + " "));
		assertThat(dave.store.current()).hasValue(List.of());
		Watcher eve = watcher(new LiveInstance(LiveConnection.to(redis), RedisClock.CLIENT, clock));
		assertThat(eve.store.end(SEARCH)).isFalse();
	}

	// Such as those of the cache file.
	@Test
	void theSwitchesOfAnInstanceThatStartsAreRestoredIfRedisHasLostAll(TestRedis redis) {
		RuleSwitch off = this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofDays(7), "alice", "why");
		this.alice.store.close();
		this.bob.store.close();
		redis.command("FLUSHALL");
		Watcher carol = new Watcher(newStore(redis), List.of(off));
		Awaitility.await().until(() -> redis.command("HEXISTS", SWITCHES, "rule:search").equals("1"));
		Awaitility.await().until(() -> carol.store.current().isPresent());
		assertThat(carol.store.current()).hasValue(List.of(off));
		assertThat(watcher(redis).store.end(SEARCH)).isTrue();
		Watcher dave = new Watcher(newStore(redis), List.of(off));
		Awaitility.await().until(() -> dave.store.current().isPresent());
		assertThat(dave.store.current()).as("the end in Redis prevails").hasValue(List.of());
	}

	private RedisSwitchStore newStore(TestRedis redis) {
		LiveInstance instance = new LiveInstance(LiveConnection.to(redis));
		this.instances.add(instance);
		return instance.live().switches();
	}

	@Test
	void aCounterThatCannotBeReadStopsNoSwitch(TestRedis redis) {
		redis.command("HSET", SWITCHES, "count", "x");
		RuleSwitch off = this.bob.store.set(SEARCH, RuleMode.OFF, Duration.ofDays(7), "bob", "");
		Awaitility.await().until(() -> this.alice.last().equals(List.of(off)));
	}

	@Test
	void anEndThatAFailoverLosesStaysInForceIfAnotherInstanceWritesFirst(TestRedis redis) {
		this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofHours(1), "alice", "");
		copy(redis);
		assertThat(this.alice.store.end(SEARCH)).isTrue();
		this.alice.store.close();
		this.bob.store.close();
		restoreCopy(redis);
		Watcher carol = watcher(redis);
		RuleSwitch other = carol.store.set(Optional.of("other"), RuleMode.OFF, Duration.ofHours(1), "carol", "");
		carol.store.set(Optional.of("third"), RuleMode.OFF, Duration.ofHours(1), "carol", "");
		assertThat(carol.store.end(Optional.of("third"))).isTrue();
		this.alice.store.start(this.alice.told::add);
		Awaitility.await().until(() -> this.alice.last().equals(List.of(other)));
		Awaitility.await().until(() -> carol.last().equals(List.of(other)));
	}

	@Test
	void aSwitchThatIsSetAfterAFailoverLostItsEndStays(TestRedis redis) {
		this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofHours(1), "alice", "");
		copy(redis);
		assertThat(this.alice.store.end(SEARCH)).isTrue();
		restoreCopy(redis);
		RuleSwitch again = this.alice.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "alice", "");
		Awaitility.await()
			.until(() -> this.bob.last().equals(List.of(again)) && this.alice.last().equals(List.of(again)));
	}

	// Save the state of a replica that does not receive later writes.
	private static void copy(TestRedis redis) {
		redis.command("EVAL", "redis.call('SET', 'copy', redis.call('DUMP', KEYS[1])) return 1", "1", SWITCHES);
	}

	private static void restoreCopy(TestRedis redis) {
		redis.command("EVAL", "redis.call('RESTORE', KEYS[1], 0, redis.call('GET', 'copy'), 'REPLACE') return 1", "1",
				SWITCHES);
	}

	@Test
	void currentIsUpToDateAfterChange() {
		for (int i = 0; i < 20; i++) {
			RuleSwitch search = this.alice.store.set(SEARCH, RuleMode.OFF, Duration.ofDays(7), "alice", "");
			assertThat(this.alice.store.current()).contains(List.of(search));
			assertThat(this.bob.store.end(SEARCH)).isTrue();
			Awaitility.await().until(() -> this.alice.store.current().equals(Optional.of(List.of())));
		}
	}

	@Test
	void aChangeThatIsTooLateChangesNothing() {
		try (TestRedis own = TestRedis.start()) {
			Watcher carol = watcher(own);
			Awaitility.await().until(() -> carol.store.current().isPresent());
			own.pause();
			assertThatExceptionOfType(RuleSourceException.class)
				.isThrownBy(() -> carol.store.set(SEARCH, RuleMode.OFF, Duration.ofDays(7), "alice", ""))
				.withMessageContaining("timeout");
			own.resume();
			Awaitility.await().until(() -> own.command("PING").equals("PONG"));
			RuleSwitch other = carol.store.set(Optional.of("other"), RuleMode.OFF, Duration.ofHours(1), "alice", "");
			assertThat(carol.store.current()).contains(List.of(other));
			assertThat(own.command("HEXISTS", SWITCHES, "rule:search")).isEqualTo("0");
		}
	}

	@Test
	void switchesSurviveAnOutageAndEndDuringIt() {
		try (TestRedis own = TestRedis.start()) {
			Watcher carol = watcher(own);
			carol.store.set(SEARCH, RuleMode.SHADOW, Duration.ofSeconds(8), "alice", "");
			RuleSwitch other = carol.store.set(Optional.of("other"), RuleMode.OFF, Duration.ofHours(1), "alice", "");
			Awaitility.await().until(() -> carol.last().size() == 2);
			own.pause();
			assertThatExceptionOfType(RuleSourceException.class).isThrownBy(() -> carol.store.end(SEARCH))
				.withMessage("timeout");
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> carol.last().equals(List.of(other)));
			assertThat(carol.told).noneMatch(List::isEmpty);
			own.kill();
			own.restart();
			Awaitility.await().until(() -> own.command("HLEN", SWITCHES).equals("2"));
			assertThat(carol.last()).containsExactly(other);
		}
	}

	@Test
	void byTheClockOfAnInstance(TestRedis redis) {
		Watcher carol = watcher(
				new LiveInstance(LiveConnection.to(redis), RedisClock.CLIENT, () -> Instant.now().plusSeconds(3600)));
		RuleSwitch search = carol.store.set(SEARCH, RuleMode.OFF, Duration.ofHours(1), "carol", "");
		assertThat(search.untilMillis()).isBetween(System.currentTimeMillis() + 7_100_000,
				System.currentTimeMillis() + 7_201_000);
	}

	@Test
	void unreadableSwitchIsIgnored(TestRedis redis) {
		redis.command("HSET", SWITCHES, "rule:broken", "soon", "odd", "1 {}", "rule:none", "1 1 {}");
		RuleSwitch search = this.alice.store.set(SEARCH, RuleMode.SHADOW, Duration.ofHours(1), "alice", "");
		Awaitility.await().until(() -> this.bob.last().equals(List.of(search)));
	}

	/**
	 * A store and the switches that it published.
	 */
	private static final class Watcher {

		private final RedisSwitchStore store;

		private final List<List<RuleSwitch>> told = new CopyOnWriteArrayList<>();

		Watcher(RedisSwitchStore store) {
			this(store, List.of());
		}

		Watcher(RedisSwitchStore store, List<RuleSwitch> present) {
			this.store = store;
			store.start(present, this.told::add);
		}

		List<RuleSwitch> last() {
			return (this.told.isEmpty()) ? List.of() : this.told.get(this.told.size() - 1);
		}

	}

}
