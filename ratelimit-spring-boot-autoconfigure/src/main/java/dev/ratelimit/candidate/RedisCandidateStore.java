package dev.ratelimit.candidate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import dev.ratelimit.base.EditConflictException;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.live.redis.CurrentFollower;
import dev.ratelimit.live.redis.LiveClock;
import dev.ratelimit.live.redis.LiveFailures;
import dev.ratelimit.live.redis.LiveNames;
import dev.ratelimit.live.redis.RedisLive;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;

/**
 * Internal: the candidate in Redis, which all instances poll.
 */
public final class RedisCandidateStore implements CandidateStore {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final SharedKeys keys;

	private final LiveClock clock;

	private final SharedScript write;

	private final SharedScript end;

	private final SharedScript count;

	private final CurrentFollower following;

	/**
	 * The candidate that all instances share.
	 * @param live what they share
	 */
	public RedisCandidateStore(RedisLive live) {
		this.keys = live.keys();
		this.following = new CurrentFollower(live.poll());
		this.clock = live.clock();
		this.write = this.keys.script(List.of("live-candidate"), LiveNames.HEAD, LiveNames.CANDIDATE, LiveNames.LOG);
		this.end = this.keys.script(List.of("live-candidate-end"), LiveNames.CANDIDATE, LiveNames.LOG);
		this.count = this.keys.script(List.of("live-candidate-count"), LiveNames.CANDIDATE);
	}

	@Override
	public void start(Consumer<Optional<CandidateDocument>> changes) {
		this.following.start(new CandidateFollower(this.keys, changes));
	}

	@Override
	public long nowMillis() {
		return this.clock.nowMillis();
	}

	@Override
	public long write(Optional<RuleDocument> base, Map<String, Object> rules, String user, String note) {
		long version = base.map(RuleDocument::version).orElse(0L);
		List<String> arguments = List.of(Long.toString(version), base.map(RuleDocument::digest).orElse(""), random(),
				RuleText.readable(rules), user, note, "started by " + user);
		long[] reply = LiveFailures.translated(() -> {
			try (SharedSession session = this.keys.open()) {
				return session.run(this.write, arguments);
			}
		});
		if (reply[1] == 0) {
			throw new EditConflictException("the rules were changed since: the newest version is " + reply[2]
					+ "; the candidate is based on version " + version);
		}
		if (reply[1] < 0) {
			throw new EditConflictException("there is a candidate already: version " + reply[2] + "; discard it first");
		}
		return reply[1];
	}

	@Override
	public Optional<Counted> read() {
		return LiveFailures.translated(() -> {
			try (SharedSession session = this.keys.open()) {
				return CandidateText.of(session.hash(LiveNames.CANDIDATE));
			}
		});
	}

	@Override
	public boolean end(long version, String user) {
		return LiveFailures
			.translated(() -> this.end.await(PATIENCE, Long.toString(version), random(), "ended by " + user))[1] > 0;
	}

	@Override
	public void add(long version, Map<String, Map<String, Long>> counts) {
		LiveFailures.translated(() -> this.count.await(PATIENCE, CandidateText.counts(version, counts)));
	}

	private static String random() {
		return Integer.toString(ThreadLocalRandom.current().nextInt(1_000_000));
	}

	@Override
	public void close() {
		this.following.close();
	}

}
