package dev.ratelimit.live.redis;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

import dev.ratelimit.live.RuleChange;
import dev.ratelimit.live.RuleDocument;
import dev.ratelimit.live.RuleEdit;
import dev.ratelimit.live.RuleSource;
import dev.ratelimit.live.WriteResult;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisClock;
import dev.ratelimit.store.redis.RedisConnector;

/**
 * An instance with its own connection and timer, which records its readings.
 */
public final class LiveInstance implements Consumer<RuleSource.Reading>, AutoCloseable {

	public static final String PREFIX = "rl:test";

	private final RedisConnector connector;

	private final Upkeep upkeep = new Upkeep();

	private final RedisLive live;

	private final RedisRuleSource rules;

	private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

	private volatile Optional<RuleDocument> document = Optional.empty();

	public LiveInstance(RedisConnector connector) {
		this(connector, RedisClock.SERVER, InstantSource.system());
	}

	public LiveInstance(RedisConnector connector, RedisClock clock, InstantSource system) {
		this(connector, PREFIX, clock, system);
	}

	public LiveInstance(RedisConnector connector, String prefix, RedisClock clock, InstantSource system) {
		this.connector = connector;
		this.live = new RedisLive(connector, prefix, clock, system, Time.SYSTEM, () -> 1, this.upkeep);
		this.rules = this.live.rules();
	}

	LiveInstance started() {
		this.rules.start(this);
		return this;
	}

	/** Connect, as a store does after it has waited for its server. */
	void connect() {
		LiveConnection.connect(this.connector);
	}

	RedisConnector connector() {
		return this.connector;
	}

	Upkeep upkeep() {
		return this.upkeep;
	}

	public RedisLive live() {
		return this.live;
	}

	public RedisRuleSource rules() {
		return this.rules;
	}

	Optional<RuleDocument> document() {
		return this.document;
	}

	long version() {
		return this.document.map(RuleDocument::version).orElse(0L);
	}

	/**
	 * Return the readings in order, such as {@code changed 3} and
	 * {@code failed: timeout}.
	 */
	List<String> told() {
		return List.copyOf(this.told);
	}

	public WriteResult write(long head, Map<String, Object> rules) {
		return write(head, rules, "alice", "a note");
	}

	public WriteResult write(long head, Map<String, Object> rules, String user, String note) {
		return this.rules.write(new RuleEdit(head, rules, Map.of("search", Map.of("limit", "100/min")), user, note,
				List.of(new RuleChange("search", "limit", Optional.of("100/min"), Optional.of("200/min")))));
	}

	public static Map<String, Object> limit(String limit) {
		return Map.of("search", Map.of("limit", limit));
	}

	@Override
	public void accept(RuleSource.Reading reading) {
		if (reading instanceof RuleSource.Changed changed) {
			this.document = Optional.of(changed.document());
			this.told.add("changed " + changed.document().version());
		}
		else if (reading instanceof RuleSource.Invalid invalid) {
			this.told.add("invalid " + invalid.version() + ": " + invalid.reason());
		}
		else if (reading instanceof RuleSource.Failed failed) {
			this.told.add("failed: " + failed.reason());
		}
		else {
			this.told.add((reading instanceof RuleSource.Absent) ? "absent" : "unchanged");
		}
	}

	@Override
	public void close() {
		this.rules.close();
		this.upkeep.close();
		this.connector.close();
	}

}
