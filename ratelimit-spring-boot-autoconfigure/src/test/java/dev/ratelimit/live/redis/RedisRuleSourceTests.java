package dev.ratelimit.live.redis;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleRevision;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleVersion;
import dev.ratelimit.live.WriteResult;
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
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@RedisTest
class RedisRuleSourceTests {

	private static final String HEAD = LiveInstance.PREFIX + ":{live}:head";

	private final List<LiveInstance> instances = new ArrayList<>();

	private LiveInstance alice;

	private LiveInstance bob;

	@BeforeEach
	void start(TestRedis redis) {
		this.alice = instance(redis).started();
		this.bob = instance(redis).started();
	}

	private LiveInstance instance(TestRedis redis) {
		LiveInstance instance = new LiveInstance(LiveConnection.to(redis));
		this.instances.add(instance);
		return instance;
	}

	@AfterEach
	void stop() {
		this.instances.forEach(LiveInstance::close);
	}

	@Test
	void anEmptyRedisHasNoDocument() {
		Awaitility.await().until(() -> this.alice.told().contains("absent"));
		assertThat(this.alice.rules().newest()).isEmpty();
		assertThat(this.alice.rules().history(10)).isEmpty();
		assertThat(this.alice.rules().version(1)).isEmpty();
	}

	@Test
	void anEditReachesAllInstancesOnceAndIsActivatedAtOneTime(TestRedis redis) {
		Awaitility.await().until(() -> this.bob.told().contains("absent"));
		long before = Long.parseLong(redis.command("TIME").lines().findFirst().orElseThrow()) * 1000;
		WriteResult result = this.alice.write(0, LiveInstance.limit("200/min"));
		assertThat(result).isInstanceOf(WriteResult.Written.class);
		OptionalLong activate = ((WriteResult.Written) result).activateAtMillis();
		assertThat(activate.getAsLong()).isBetween(before + 400, this.alice.rules().nowMillis().getAsLong() + 705);
		Awaitility.await().until(() -> this.alice.version() == 1 && this.bob.version() == 1);
		assertThat(this.bob.document()).isEqualTo(this.alice.document())
			.get()
			.satisfies((document) -> assertThat(document.activateAtMillis()).isEqualTo(activate));
		int polls = this.bob.told().size();
		Awaitility.await().until(() -> this.bob.told().stream().skip(polls).filter("unchanged"::equals).count() > 1);
		assertThat(this.bob.told()).filteredOn((told) -> told.startsWith("changed")).hasSize(1);
		assertThat(this.bob.told().subList(polls, this.bob.told().size())).contains("unchanged");
	}

	@Test
	void theDocumentSaysWhoChangedEachEntryAndWhatItReplaced() {
		Map<String, Object> rules = new LinkedHashMap<>(Map.of("search", Map.of("limit", "200/min")));
		this.alice.write(0, rules);
		rules.put("login", Map.of("limits", List.of("1/s", "5/min"), "plans", Map.of("acme.com", "5/s")));
		this.bob.write(1, rules, "bob", "");
		RuleDocument document = this.alice.rules().newest().orElseThrow();
		assertThat(document.version()).isEqualTo(2);
		assertThat(document.rules()).isEqualTo(rules);
		assertThat(document.revisions()).containsOnlyKeys("search", "login");
		RuleRevision search = document.revisions().get("search");
		assertThat(search).extracting(RuleRevision::version, RuleRevision::user, RuleRevision::note)
			.containsExactly(1L, "alice", "a note");
		assertThat(search.replaced()).isEqualTo(Map.of("limit", "100/min"));
		assertThat(search.at()).isBetween(Instant.now().minusSeconds(10), Instant.now().plusSeconds(1));
		assertThat(document.revisions().get("login").user()).isEqualTo("bob");
	}

	@Test
	void aRemovedEntryLeavesItsRevision() {
		this.alice.write(0, LiveInstance.limit("200/min"));
		this.bob.write(1, Map.of(), "bob", "away with it");
		RuleDocument document = this.alice.rules().newest().orElseThrow();
		assertThat(document.rules()).isEmpty();
		assertThat(document.revisions().get("search").version()).isEqualTo(2);
		for (int head = 2; head <= 51; head++) {
			this.alice.write(head, Map.of());
		}
		assertThat(this.alice.rules().newest().orElseThrow().revisions()).isEmpty();
	}

	@Test
	void equalContentHasAnEqualDigest() {
		this.alice.write(0, LiveInstance.limit("200/min"));
		String first = this.alice.rules().newest().orElseThrow().digest();
		this.alice.write(1, LiveInstance.limit("300/min"));
		assertThat(this.alice.rules().newest().orElseThrow().digest()).isNotEqualTo(first);
		this.bob.write(2, LiveInstance.limit("200/min"), "bob", "back");
		assertThat(this.alice.rules().newest().orElseThrow().digest()).isEqualTo(first);
		Awaitility.await().until(() -> this.alice.version() == 3);
	}

	@Test
	void anEditOfAnOldVersionChangesNothing() {
		this.alice.write(0, LiveInstance.limit("200/min"));
		assertThat(this.bob.write(0, LiveInstance.limit("300/min"))).isEqualTo(new WriteResult.Outdated(1));
		assertThat(this.bob.write(2, LiveInstance.limit("300/min"))).isEqualTo(new WriteResult.Outdated(1));
		assertThat(this.alice.rules().newest().orElseThrow().rules()).isEqualTo(LiveInstance.limit("200/min"));
	}

	@Test
	void concurrentWritersNeverLoseAnEdit() throws Exception {
		ExecutorService writers = Executors.newFixedThreadPool(4);
		try {
			List<Future<Boolean>> edits = writers.invokeAll(IntStream.range(0, 40).mapToObj(this::edit).toList());
			List<String> written = new ArrayList<>();
			for (int i = 0; i < edits.size(); i++) {
				if (edits.get(i).get()) {
					written.add("rule-" + i);
				}
			}
			RuleDocument newest = this.alice.rules().newest().orElseThrow();
			assertThat(newest.rules()).containsOnlyKeys(written.toArray(String[]::new));
			assertThat(newest.version()).isEqualTo(written.size()).isGreaterThan(10);
			assertThat(newest.revisions().values()).extracting(RuleRevision::version).doesNotHaveDuplicates();
		}
		finally {
			writers.shutdown();
		}
	}

	// Write with at most five attempts, as the editor does.
	private Callable<Boolean> edit(int number) {
		LiveInstance instance = (number % 2 == 0) ? this.alice : this.bob;
		return () -> {
			for (int attempt = 0; attempt < 5; attempt++) {
				try {
					Optional<RuleDocument> base = instance.rules().newest();
					Map<String, Object> rules = new LinkedHashMap<>(base.map(RuleDocument::rules).orElse(Map.of()));
					boolean written = rules.put("rule-" + number, Map.of("limit", number + "/min")) != null;
					if (written || instance.write(base.map(RuleDocument::version).orElse(0L),
							rules) instanceof WriteResult.Written) {
						return true;
					}
				}
				catch (RuleSourceException ex) {
					// The edit may be written. The next attempt shows it.
					assertThat(ex).hasMessage("timeout");
				}
			}
			return false;
		};
	}

	@Test
	void fiftyVersionsAreKept(TestRedis redis) {
		for (int head = 0; head < 60; head++) {
			this.alice.write(head, LiveInstance.limit((head + 1) + "/min"), "user" + head, "note \"" + head + "\"");
		}
		List<RuleVersion> history = this.bob.rules().history(1000);
		assertThat(history).hasSize(50);
		assertThat(history.get(0)).satisfies((newest) -> {
			assertThat(newest.version()).isEqualTo(60);
			assertThat(newest.user()).isEqualTo("user59");
			assertThat(newest.note()).isEqualTo("note \"59\"");
			assertThat(newest.changes())
				.containsExactly(new RuleChange("search", "limit", Optional.of("100/min"), Optional.of("200/min")));
			assertThat(newest.at()).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
		});
		assertThat(history.get(49).version()).isEqualTo(11);
		assertThat(this.bob.rules().history(3)).hasSize(3);
		assertThat(this.bob.rules().version(11).orElseThrow().rules()).isEqualTo(LiveInstance.limit("11/min"));
		assertThat(this.bob.rules().version(10)).isEmpty();
		assertThat(redis.command("HLEN", LiveInstance.PREFIX + ":{live}:versions")).isEqualTo("100");
		assertThat(redis.command("XLEN", LiveInstance.PREFIX + ":{live}:log")).isEqualTo("60");
		assertThat(redis.command("TTL", HEAD)).isEqualTo("-1");
	}

	@Test
	void documentIsRestoredAfterRedisLosesItsData(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		this.alice.write(1, LiveInstance.limit("300/min"), "carol", "launch");
		Awaitility.await().until(() -> this.alice.version() == 2 && this.bob.version() == 2);
		redis.command("FLUSHALL");
		Awaitility.await().until(() -> redis.command("HGET", HEAD, "version").equals("2"));
		assertThat(this.bob.rules().newest()).get().satisfies((document) -> {
			assertThat(document.rules()).isEqualTo(LiveInstance.limit("300/min"));
			assertThat(document.revisions().get("search").user()).isEqualTo("carol");
		});
		assertThat(this.bob.rules().history(10)).singleElement()
			.satisfies((version) -> assertThat(version.user()).isEqualTo("carol"));
		assertThat(this.alice.told()).doesNotContain("invalid")
			.filteredOn((told) -> told.startsWith("changed 2"))
			.hasSize(1);
		assertThat(this.bob.write(2, LiveInstance.limit("400/min"))).isInstanceOf(WriteResult.Written.class);
		Awaitility.await().until(() -> this.alice.version() == 3);
	}

	@Test
	void anEditRightAfterTheLossIsBasedOnWhatWasLost(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		Awaitility.await().until(() -> this.alice.version() == 1);
		this.alice.rules().close();
		this.bob.rules().close();
		redis.command("FLUSHALL");
		assertThat(this.alice.write(0, LiveInstance.limit("300/min"))).isEqualTo(new WriteResult.Outdated(1));
		assertThat(this.alice.write(1, LiveInstance.limit("300/min"))).isInstanceOf(WriteResult.Written.class);
	}

	@Test
	void aVersionThatRedisLosesBeforeAnyPollIsGivenBack(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		Awaitility.await().until(() -> this.alice.version() == 1 && this.bob.version() == 1);
		this.alice.rules().close();
		copy(redis);
		assertThat(this.alice.write(1, LiveInstance.limit("300/min"))).isInstanceOf(WriteResult.Written.class);
		failOver(redis);
		this.alice.started();
		Awaitility.await().until(() -> this.alice.version() == 2 && this.bob.version() == 2);
		assertThat(this.bob.document().orElseThrow().rules()).isEqualTo(LiveInstance.limit("300/min"));
	}

	@Test
	void aLaterVersionByAnInstanceThatHasNotSeenTheLostOnesPrevails(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		Awaitility.await().until(() -> this.alice.version() == 1 && this.bob.version() == 1);
		this.instances.forEach((instance) -> instance.rules().close());
		copy(redis);
		this.alice.write(1, LiveInstance.limit("300/min"));
		this.alice.write(2, LiveInstance.limit("400/min"));
		this.alice.started();
		Awaitility.await().until(() -> this.alice.version() == 3);
		this.alice.rules().close();
		failOver(redis);
		assertThat(this.bob.write(1, LiveInstance.limit("999/min"))).isInstanceOf(WriteResult.Written.class);
		this.alice.started();
		this.bob.started();
		Awaitility.await().until(() -> this.alice.version() == 4 && this.bob.version() == 4);
		assertThat(this.alice.document().orElseThrow().rules()).isEqualTo(LiveInstance.limit("999/min"));
		assertThat(this.bob.rules().history(10)).extracting(RuleVersion::version).contains(4L, 1L);
	}

	// Save the state of a replica that does not receive later writes.
	private static void copy(TestRedis redis) {
		redis.command("EVAL", "return redis.call('SET', 'copy', redis.call('DUMP', KEYS[1]))", "1", HEAD);
	}

	private static void failOver(TestRedis redis) {
		redis.command("EVAL", "return redis.call('RESTORE', KEYS[1], 0, redis.call('GET', 'copy'), 'REPLACE')", "1",
				HEAD);
	}

	@Test
	void theNewerOfTwoThatKnowWins(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		this.alice.write(1, LiveInstance.limit("300/min"));
		RuleDocument first = this.alice.rules().version(1).orElseThrow();
		RuleDocument second = this.alice.rules().version(2).orElseThrow();
		this.instances.forEach((instance) -> instance.rules().close());
		redis.command("FLUSHALL");
		LiveInstance old = instance(redis);
		old.rules().remember(first);
		old.started();
		Awaitility.await().until(() -> old.version() == 1);
		LiveInstance newer = instance(redis);
		newer.rules().remember(second);
		newer.started();
		Awaitility.await().until(() -> old.version() == 2);
		assertThat(old.document().orElseThrow().rules()).isEqualTo(LiveInstance.limit("300/min"));
	}

	@Test
	void editAfterDataLossPrevailsOverCachedVersion(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		this.alice.write(1, LiveInstance.limit("300/min"));
		RuleDocument cached = this.alice.rules().version(2).orElseThrow();
		this.instances.forEach((instance) -> instance.rules().close());
		redis.command("FLUSHALL");
		LiveInstance empty = instance(redis).started();
		assertThat(empty.write(0, LiveInstance.limit("999/min"))).isInstanceOf(WriteResult.Written.class);
		Awaitility.await().until(() -> empty.version() == 1);
		LiveInstance late = instance(redis);
		late.rules().remember(cached);
		late.started();
		Awaitility.await().until(() -> late.version() == 3 && empty.version() == 3);
		assertThat(late.document().orElseThrow().rules()).isEqualTo(LiveInstance.limit("999/min"));
		assertThat(empty.document().orElseThrow().rules()).isEqualTo(LiveInstance.limit("999/min"));
	}

	@Test
	void redisWinsIfItsVersionIsEqualAndItsContentIsNot(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		RuleDocument first = this.alice.rules().newest().orElseThrow();
		this.alice.write(1, LiveInstance.limit("300/min"));
		Awaitility.await().until(() -> this.alice.version() == 2 && this.bob.version() == 2);
		this.instances.forEach((instance) -> instance.rules().close());
		redis.command("FLUSHALL");
		LiveInstance other = instance(redis);
		other.rules().remember(first);
		assertThat(other.write(1, LiveInstance.limit("999/min"))).isInstanceOf(WriteResult.Written.class);
		this.bob.started();
		Awaitility.await().until(() -> this.bob.document().orElseThrow().rules().equals(LiveInstance.limit("999/min")));
		assertThat(this.bob.version()).isEqualTo(2);
	}

	@Test
	void contentThatIsNotADocumentIsToldOnceAndChangesNothing(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		Awaitility.await().until(() -> this.bob.version() == 1);
		redis.command("HSET", HEAD, "version", "7", "digest", "0".repeat(64), "text", "{\"rules\":[]}");
		Awaitility.await()
			.until(() -> this.bob.told()
				.contains("invalid 7: 'rules' must be a map; to remove all live rules, write 'rules: {}'")
					&& lastOf(this.bob).equals("unchanged"));
		assertThat(this.bob.told()).filteredOn((told) -> told.startsWith("invalid")).hasSize(1);
		assertThat(this.bob.version()).isEqualTo(1);
		assertThatExceptionOfType(RuleSourceException.class).isThrownBy(() -> this.bob.rules().newest())
			.withMessageStartingWith("the content of Redis cannot be read: 'rules' must be a map");
		redis.command("DEL", HEAD);
		Awaitility.await().until(() -> redis.command("HGET", HEAD, "version").equals("1"));
	}

	@Test
	void contentThatIsNotADocumentIsReplacedAsAWhole(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		Awaitility.await().until(() -> this.alice.version() == 1 && this.bob.version() == 1);
		redis.command("HSET", HEAD, "version", "7", "digest", "0".repeat(64), "text", "{\"rules\":[]}");
		assertThat(this.bob.write(6, LiveInstance.limit("300/min"))).isEqualTo(new WriteResult.Outdated(7));
		assertThat(this.bob.write(7, LiveInstance.limit("300/min"))).isInstanceOf(WriteResult.Written.class);
		Awaitility.await().until(() -> this.alice.version() == 8 && this.bob.version() == 8);
		assertThat(this.alice.document().orElseThrow().rules()).isEqualTo(LiveInstance.limit("300/min"));
	}

	@Test
	void unreadableDocumentIsNotWritten() {
		this.alice.write(0, LiveInstance.limit("200/min"));
		Map<String, Object> quotas = new LinkedHashMap<>();
		for (int rule = 0; rule < 39; rule++) {
			Map<String, Object> overrides = new LinkedHashMap<>();
			for (int tenant = 0; tenant < 1000; tenant++) {
				overrides.put("tenant-" + tenant, Map.of("limit", "9/min"));
			}
			quotas.put("rule-" + rule, Map.of("overrides", overrides));
		}
		Map<String, Map<String, Object>> documents = Map.of("a character that YAML cannot have",
				Map.of("search", Map.of("overrides", Map.of("\ufffe", Map.of("limit", "5/min")))), "characters",
				quotas);
		documents.forEach(
				(reason, rules) -> assertThatIllegalArgumentException().isThrownBy(() -> this.alice.write(1, rules))
					.withMessageContaining(reason));
		assertThat(this.bob.rules().newest().orElseThrow().rules()).isEqualTo(LiveInstance.limit("200/min"));
	}

	private static String lastOf(LiveInstance instance) {
		return instance.told().get(instance.told().size() - 1);
	}

	@Test
	void aLargeDocumentIsRead() {
		Map<String, Object> rules = new LinkedHashMap<>();
		for (int i = 0; i < 2000; i++) {
			rules.put("rule-" + i, Map.of("limit", "100/min", "paths", "/" + "é".repeat(150) + i));
		}
		this.alice.write(0, rules);
		Awaitility.await().until(() -> this.bob.version() == 1);
		assertThat(this.bob.document().orElseThrow().rules()).isEqualTo(rules);
	}

	@Test
	void nothingIsToldOnceItIsClosedAndAllAgainWhenItIsStartedAgain() {
		this.alice.write(0, LiveInstance.limit("200/min"));
		Awaitility.await().until(() -> this.bob.version() == 1);
		this.bob.rules().close();
		int told = this.bob.told().size();
		this.alice.write(1, LiveInstance.limit("300/min"));
		Awaitility.await().until(() -> this.alice.version() == 2);
		assertThat(this.bob.told()).hasSize(told);
		this.bob.started();
		Awaitility.await().until(() -> this.bob.version() == 2);
	}

	@Test
	void byTheClocksOfTheInstancesAnEditIsActiveAtOnce(TestRedis redis) {
		InstantSource behind = () -> Instant.now().minusSeconds(10);
		LiveInstance carol = new LiveInstance(LiveConnection.to(redis), RedisClock.CLIENT, behind);
		this.instances.add(carol);
		carol.started();
		assertThat(carol.write(0, LiveInstance.limit("200/min")))
			.isEqualTo(new WriteResult.Written(1, OptionalLong.empty()));
		Awaitility.await().until(() -> carol.version() == 1);
		assertThat(carol.document().orElseThrow().activateAtMillis()).isEmpty();
		assertThat(carol.rules().nowMillis().getAsLong()).isLessThan(System.currentTimeMillis() - 9000);
	}

	@Test
	void aWaitIsNeverLongerThanThatOfANewVersion(TestRedis redis) {
		this.alice.write(0, LiveInstance.limit("200/min"));
		Awaitility.await().until(() -> this.alice.version() == 1);
		long before = this.alice.rules().nowMillis().getAsLong();
		redis.command("HSET", HEAD, "version", "2", "activate", Long.toString(before + 60_000));
		Awaitility.await().until(() -> this.alice.version() == 2);
		assertThat(this.alice.document().orElseThrow().activateAtMillis().getAsLong()).isBetween(before + 300,
				this.alice.rules().nowMillis().getAsLong() + 705);
	}

}
