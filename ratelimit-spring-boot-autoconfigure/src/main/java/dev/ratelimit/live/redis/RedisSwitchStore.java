package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import dev.ratelimit.RuleMode;
import dev.ratelimit.live.RuleSwitch;
import dev.ratelimit.live.SwitchStore;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;

/**
 * Internal: switches in Redis, which all instances poll. While Redis is unavailable,
 * those that are known stay until they end. If Redis has lost some, the first instance
 * that notices takes them back there.
 */
public final class RedisSwitchStore implements SwitchStore {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	/** Some instance takes back what was lost, and others may lose it once more. */
	private static final int ATTEMPTS = 3;

	/** Redis knows less than this instance. */
	private static final long LOST = -1;

	private final SharedScript change;

	private final LiveClock clock;

	private final SwitchMemory memory;

	private final CurrentFollower following;

	RedisSwitchStore(SharedKeys keys, LivePoll poll, LiveClock clock) {
		this.change = keys.script(List.of("live-switch"), LiveNames.SWITCHES, LiveNames.LOG);
		this.following = new CurrentFollower(poll);
		this.clock = clock;
		this.memory = new SwitchMemory(keys);
	}

	@Override
	public void start(Consumer<List<RuleSwitch>> changes) {
		start(List.of(), changes);
	}

	@Override
	public void start(List<RuleSwitch> present, Consumer<List<RuleSwitch>> changes) {
		this.following.start(new SwitchFollower(this.memory, this.clock, present, changes));
	}

	@Override
	public long nowMillis() {
		return this.clock.nowMillis();
	}

	@Override
	public RuleSwitch set(Optional<String> rule, RuleMode mode, Duration duration, String user, String note) {
		String text = KnownSwitches.text(mode, user, note);
		return new RuleSwitch(rule, mode, LiveFailures.translated(() -> change(rule, duration.toMillis(), text)), user,
				note);
	}

	@Override
	public boolean end(Optional<String> rule) {
		return LiveFailures.translated(() -> change(rule, 0, KnownSwitches.ENDED)) > 0;
	}

	private long change(Optional<String> rule, long millis, String text) {
		long latestMillis = this.clock.nowMillis() + PATIENCE.toMillis();
		for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
			long ends = attempt(rule, millis, text, latestMillis);
			if (ends != LOST) {
				return changed(rule, text, ends);
			}
			this.memory.restore();
		}
		return changed(rule, text, attempt(rule, millis, text, latestMillis));
	}

	private long changed(Optional<String> rule, String text, long ends) {
		if (ends < 0) {
			throw new StoreException(StoreException.Kind.TIMEOUT, "Redis was too late", null);
		}
		if (ends > 0) {
			this.memory.changed(KnownSwitches.name(rule), ends + " " + text);
		}
		return ends;
	}

	// After the latest time, which the user no longer waits for, Redis changes nothing.
	private long attempt(Optional<String> rule, long millis, String text, long latestMillis) {
		return this.change.await(PATIENCE, Long.toString(this.memory.known().counter()),
				Integer.toString(ThreadLocalRandom.current().nextInt(1_000_000)), KnownSwitches.name(rule),
				Long.toString(millis), text, text, Long.toString(latestMillis))[1];
	}

	@Override
	public Optional<List<RuleSwitch>> known() {
		return (this.memory.responded()) ? Optional.of(this.memory.known().at(nowMillis())) : Optional.empty();
	}

	@Override
	public void close() {
		this.following.close();
	}

}
