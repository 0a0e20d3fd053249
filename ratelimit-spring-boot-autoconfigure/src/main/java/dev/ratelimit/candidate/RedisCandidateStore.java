package dev.ratelimit.candidate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import dev.ratelimit.live.redis.LivePoll;
import dev.ratelimit.live.redis.PollReply;
import dev.ratelimit.live.redis.RedisLive;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: the candidate in Redis, which all instances poll.
 */
public final class RedisCandidateStore implements CandidateStore {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final SharedKeys keys;

	private final LiveClock clock;

	private final SharedScript write;

	private final SharedScript end;

	private final SharedScript count;

	private final CurrentFollower following;

	/**
	 * Create a store of the candidate that all instances share.
	 * @param live the live data that all instances share
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
			.translated(() -> this.end.await(TIMEOUT, Long.toString(version), random(), "ended by " + user))[1] > 0;
	}

	@Override
	public void add(long version, Map<String, Map<String, Long>> counts) {
		LiveFailures.translated(() -> this.count.await(TIMEOUT, CandidateText.counts(version, counts)));
	}

	private static String random() {
		return Integer.toString(ThreadLocalRandom.current().nextInt(1_000_000));
	}

	@Override
	public void close() {
		this.following.close();
	}

	/**
	 * Reads the candidate when a poll shows that it was replaced or removed.
	 */
	private static final class CandidateFollower extends LivePoll.Follower<Optional<CandidateDocument>> {

		private static final Log logger = LogFactory.getLog(CandidateFollower.class);

		private final SharedKeys keys;

		/** The last counter that was read. Only polls use it. */
		private long counter;

		CandidateFollower(SharedKeys keys, Consumer<Optional<CandidateDocument>> changes) {
			super(changes);
			this.keys = keys;
		}

		@Override
		protected void polled(PollReply reply) {
			if (reply.candidate() == this.counter) {
				return;
			}
			try (SharedSession session = this.keys.open()) {
				Map<String, String> fields = session.hash(LiveNames.CANDIDATE);
				this.counter = CandidateText.counter(fields);
				publish(CandidateText.of(fields).map(CandidateStore.Counted::document));
			}
			catch (StoreException ex) {
				// The next poll reads the candidate again.
				logger.debug("Failed to read the candidate", ex);
			}
			catch (IllegalArgumentException ex) {
				this.counter = reply.candidate();
				logger.warn("The candidate in Redis cannot be read: " + ex.getMessage());
				publish(Optional.empty());
			}
		}

		// While Redis is unavailable, the candidate remains active, and its comparisons
		// are skipped.
		@Override
		protected void failed(StoreException failure) {
			logger.trace("Failed to poll", failure);
		}

	}

	/**
	 * A candidate and its counts, as the fields of a hash.
	 */
	private static final class CandidateText {

		/** The prefix of the fields of counts, before the rule and the difference. */
		private static final String COUNT = "n:";

		private CandidateText() {
		}

		// Unreadable fields cause an IllegalArgumentException with the reason.
		static Optional<CandidateStore.Counted> of(Map<String, String> fields) {
			if (!fields.containsKey("version")) {
				return Optional.empty();
			}
			CandidateDocument document = new CandidateDocument(number(fields, "version"), number(fields, "base"),
					number(fields, "at"), field(fields, "by"), field(fields, "note"),
					RuleText.document(field(fields, "text")));
			Map<String, Map<String, Long>> counts = new HashMap<>();
			fields.forEach((name, value) -> {
				int end = name.lastIndexOf(':');
				if (name.startsWith(COUNT) && end > COUNT.length()) {
					counts.computeIfAbsent(name.substring(COUNT.length(), end), (rule) -> new LinkedHashMap<>())
						.put(name.substring(end + 1), Long.parseLong(value));
				}
			});
			return Optional.of(new CandidateStore.Counted(document, counts));
		}

		static long counter(Map<String, String> fields) {
			return Long.parseLong(fields.getOrDefault("count", "0"));
		}

		static String[] counts(long version, Map<String, Map<String, Long>> counts) {
			List<String> arguments = new ArrayList<>(List.of(Long.toString(version), ""));
			counts.forEach((rule, numbers) -> numbers.forEach((difference, number) -> {
				arguments.add(COUNT + rule + ":" + difference);
				arguments.add(Long.toString(number));
			}));
			arguments.set(1, Integer.toString(arguments.size() / 2 - 1));
			return arguments.toArray(String[]::new);
		}

		private static String field(Map<String, String> fields, String name) {
			return Optional.ofNullable(fields.get(name))
				.orElseThrow(() -> new IllegalArgumentException("'" + name + "' is missing"));
		}

		private static long number(Map<String, String> fields, String name) {
			return Long.parseLong(field(fields, name));
		}

	}

}
