package dev.ratelimit.candidate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.live.redis.LiveInstance;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.test.redis.RedisTest;
import dev.ratelimit.test.redis.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RedisTest
class RedisCandidateStoreTests {

	private static final String KEY = LiveInstance.PREFIX + ":{live}:candidate";

	private final List<LiveInstance> instances = new ArrayList<>();

	private LiveInstance writer;

	private CandidateStore alice;

	private CandidateStore bob;

	private volatile Optional<CandidateDocument> seen = Optional.empty();

	@BeforeEach
	void start(TestRedis redis) {
		this.writer = instance(redis);
		this.alice = new RedisCandidateStore(this.writer.live());
		this.bob = new RedisCandidateStore(instance(redis).live());
		this.bob.start((candidate) -> this.seen = candidate);
	}

	private LiveInstance instance(TestRedis redis) {
		LiveInstance instance = new LiveInstance(LiveConnection.to(redis));
		this.instances.add(instance);
		return instance;
	}

	@AfterEach
	void stop() {
		this.bob.close();
		this.instances.forEach(LiveInstance::close);
	}

	@Test
	void aCandidateReachesAllInstancesUntilItIsEnded() {
		this.writer.write(0, LiveInstance.limit("200/min"));
		long version = this.alice.write(this.writer.rules().newest(), LiveInstance.limit("300/min"), "alice",
				"why \"not\"");
		assertThat(version).isEqualTo(2);
		Awaitility.await().until(() -> this.seen.isPresent());
		CandidateDocument candidate = this.seen.orElseThrow();
		assertThat(candidate)
			.extracting(CandidateDocument::version, CandidateDocument::base, CandidateDocument::user,
					CandidateDocument::note)
			.containsExactly(2L, 1L, "alice", "why \"not\"");
		assertThat(candidate.rules()).isEqualTo(LiveInstance.limit("300/min"));
		assertThat(this.bob.nowMillis() - candidate.atMillis()).isBetween(-50L, 10_000L);
		assertThat(this.bob.end(7, "bob")).isFalse();
		assertThat(this.bob.end(2, "bob")).isTrue();
		Awaitility.await().until(() -> this.seen.isEmpty());
		assertThat(this.alice.read()).isEmpty();
	}

	@Test
	void thereIsOneAtATimeAndNoneHasTheVersionOfAnother() {
		assertThat(this.alice.write(Optional.empty(), LiveInstance.limit("1/s"), "alice", "")).isEqualTo(1);
		assertThatExceptionOfType(EditConflictException.class)
			.isThrownBy(() -> this.bob.write(Optional.empty(), LiveInstance.limit("2/s"), "bob", ""))
			.withMessage("there is a candidate already: version 1; discard it first");
		this.alice.end(1, "alice");
		assertThat(this.bob.write(Optional.empty(), LiveInstance.limit("2/s"), "bob", "")).isEqualTo(2);
	}

	@Test
	void aCandidateOverFormerRulesIsAConflict() {
		this.writer.write(0, LiveInstance.limit("200/min"));
		assertThatExceptionOfType(EditConflictException.class)
			.isThrownBy(() -> this.alice.write(Optional.empty(), LiveInstance.limit("1/s"), "alice", ""))
			.withMessage("the rules were changed since: the newest version is 1; the candidate is based on version 0");
	}

	@Test
	void countsOfAllInstancesAreAdded(TestRedis redis) {
		this.alice.write(Optional.empty(), LiveInstance.limit("1/s"), "alice", "");
		this.alice.add(1, Map.of("search", Map.of("same", 5L, "wouldAllow", 2L)));
		this.bob.add(1, Map.of("search", Map.of("same", 1L, "wouldReject", 3L), "login", Map.of("skipped", 4L)));
		this.bob.add(9, Map.of("search", Map.of("same", 100L)));
		assertThat(this.alice.read().orElseThrow().counts()).isEqualTo(Map.of("search",
				Map.of("same", 6L, "wouldReject", 3L, "wouldAllow", 2L), "login", Map.of("skipped", 4L)));
		assertThat(redis.command("TTL", KEY)).isEqualTo("-1");
	}

	@Test
	void unreadableContentIsNoCandidate(TestRedis redis) {
		this.alice.write(Optional.empty(), LiveInstance.limit("1/s"), "alice", "");
		Awaitility.await().until(() -> this.seen.isPresent());
		redis.command("HSET", KEY, "text", "nonsense", "count", "99000000");
		Awaitility.await().until(() -> this.seen.isEmpty());
	}

}
