package dev.ratelimit.live.redis;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.ban.Ban;
import dev.ratelimit.ban.BanLimits;
import dev.ratelimit.ban.RedisBanStore;
import dev.ratelimit.candidate.CandidateDocument;
import dev.ratelimit.candidate.RedisCandidateStore;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.live.LiveThread;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.Switches;
import dev.ratelimit.rule.RuleBuilder;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisClock;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.SharedKeys;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import org.awaitility.Awaitility;

/**
 * The shared state of an instance, and the parts of it that the instance applies.
 */
final class ScheduledInstance implements AutoCloseable {

	static final List<String> SWITCHED = List.of("login", "search");

	private static final long BAN_MILLIS = 600_000;

	private final LiveInstance live;

	private final LiveThread thread = new LiveThread();

	private final Switches switches;

	private final RedisCandidateStore candidates;

	private final RedisBanStore bans;

	/** Replaces the ban table of the engine. */
	private final Map<String, Ban> banned = new ConcurrentHashMap<>();

	private volatile Optional<RuleDocument> document = Optional.empty();

	private volatile Optional<CandidateDocument> candidate = Optional.empty();

	private final AtomicInteger polls = new AtomicInteger();

	ScheduledInstance(String host, int port, String prefix, RedisClock clock, InstantSource system) {
		RedisConnector connector = new RedisConnector(LiveConnection.settings(RedisURI.create(host, port)));
		Awaitility.await().ignoreExceptionsInstanceOf(RedisException.class).until(() -> {
			LiveConnection.connect(connector);
			return true;
		});
		this.live = new LiveInstance(connector, prefix, clock, system);
		Editions editions = new Editions();
		editions
			.adopt(SWITCHED.stream().map((id) -> RuleBuilder.rule(id).limits("1/d").paths("/" + id).build()).toList());
		this.switches = new Switches(this.live.live().switches(), true, editions, this.thread);
		this.candidates = new RedisCandidateStore(this.live.live());
		this.bans = new RedisBanStore(new SharedKeys(connector, prefix, "ban", clock, system),
				new BanLimits(1000, 1000), Time.SYSTEM, system, this.live.upkeep());
		this.live.rules().start(this::received);
		this.switches.start();
		this.candidates.start((next) -> this.candidate = next);
		this.bans.start(this::apply);
	}

	private void apply(Ban ban) {
		if (ban.untilMillis() == 0) {
			this.banned.remove(ban.subject());
		}
		else {
			this.banned.put(ban.subject(), ban);
		}
	}

	// Reject versions that are older than the active one.
	private void received(RuleSource.Reading reading) {
		if (!(reading instanceof RuleSource.Failed)) {
			this.polls.incrementAndGet();
		}
		if (reading instanceof RuleSource.Changed next
				&& this.document.filter((active) -> active.version() > next.document().version()).isEmpty()) {
			this.document = Optional.of(next.document());
		}
	}

	/**
	 * Return the number of polls for rules that had a reply.
	 */
	int polls() {
		return this.polls.get();
	}

	RedisRuleSource rules() {
		return this.live.rules();
	}

	Switches switches() {
		return this.switches;
	}

	RedisCandidateStore candidates() {
		return this.candidates;
	}

	RedisBanStore bans() {
		return this.bans;
	}

	static long banMillis(int id) {
		return BAN_MILLIS + id;
	}

	/**
	 * Return the values that this instance applies.
	 */
	Map<String, String> values() {
		Map<String, String> values = new TreeMap<>();
		this.document.ifPresent((active) -> active.rules()
			.forEach((rule, entry) -> values.put(ScheduledChange.RULE + rule, entry.toString())));
		this.switches.active()
			.forEach((active) -> values.put("switch " + active.change().rule().orElse("all"), active.change().user()));
		this.banned.forEach((subject, ban) -> values.put("ban " + subject,
				"op" + (ban.untilMillis() - ban.atMillis() - BAN_MILLIS)));
		return values;
	}

	/**
	 * Return the state that must be equal on all instances.
	 */
	String state() {
		return "version %s, candidate %s, %s".formatted(
				this.document.map((active) -> active.version() + " " + active.digest().substring(0, 6)).orElse("none"),
				this.candidate.map((found) -> found.version() + " by " + found.user()).orElse("none"), values());
	}

	@Override
	public void close() {
		this.bans.close();
		this.switches.close();
		this.candidates.close();
		this.thread.close();
		this.live.close();
	}

}
