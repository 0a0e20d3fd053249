package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.ratelimit.live.CandidateDocument;
import dev.ratelimit.live.CandidateStore;
import dev.ratelimit.live.EditConflictException;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.live.RuleText;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;

/**
 * Internal: the candidate in Redis, which all instances poll.
 */
public final class RedisCandidateStore implements CandidateStore {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final SharedKeys keys;

	private final LivePoll poll;

	private final LiveClock clock;

	private final SharedScript write;

	private final SharedScript end;

	private final SharedScript count;

	private final AtomicReference<Optional<CandidateFollower>> following = new AtomicReference<>(Optional.empty());

	RedisCandidateStore(SharedKeys keys, LivePoll poll, LiveClock clock) {
		this.keys = keys;
		this.poll = poll;
		this.clock = clock;
		this.write = keys.script(List.of("live-candidate"), LiveNames.HEAD, LiveNames.CANDIDATE, LiveNames.LOG);
		this.end = keys.script(List.of("live-candidate-end"), LiveNames.CANDIDATE, LiveNames.LOG);
		this.count = keys.script(List.of("live-candidate-count"), LiveNames.CANDIDATE);
	}

	@Override
	public void start(Consumer<Optional<CandidateDocument>> changes) {
		CandidateFollower follower = new CandidateFollower(this.keys, changes);
		follow(Optional.of(follower));
		this.poll.add(follower);
	}

	@Override
	public long nowMillis() {
		return this.clock.nowMillis();
	}

	@Override
	public long write(Optional<RuleDocument> base, Map<String, Object> rules, String user, String note) {
		long version = base.map(RuleDocument::version).orElse(0L);
		List<String> arguments = List.of(Long.toString(version), base.map(RuleDocument::digest).orElse(""), random(),
				RuleText.of(rules), user, note, "started by " + user);
		long[] reply = blocking(() -> {
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
		return blocking(() -> {
			try (SharedSession session = this.keys.open()) {
				return CandidateText.of(session.hash(LiveNames.CANDIDATE));
			}
		});
	}

	@Override
	public boolean end(long version, String user) {
		return blocking(() -> this.end.await(PATIENCE, Long.toString(version), random(), "ended by " + user))[1] > 0;
	}

	@Override
	public void add(long version, Map<String, Map<String, Long>> counts) {
		blocking(() -> this.count.await(PATIENCE, CandidateText.counts(version, counts)));
	}

	private static String random() {
		return Integer.toString(ThreadLocalRandom.current().nextInt(1_000_000));
	}

	private static <T> T blocking(Supplier<T> work) {
		try {
			return work.get();
		}
		catch (StoreException ex) {
			throw new RuleSourceException(LiveNames.reason(ex), ex);
		}
		catch (IllegalArgumentException ex) {
			throw new RuleSourceException("the content of Redis cannot be read: " + ex.getMessage(), ex);
		}
	}

	@Override
	public void close() {
		follow(Optional.empty());
	}

	private void follow(Optional<CandidateFollower> next) {
		this.following.getAndSet(next).ifPresent((follower) -> {
			follower.close();
			this.poll.remove(follower);
		});
	}

}
