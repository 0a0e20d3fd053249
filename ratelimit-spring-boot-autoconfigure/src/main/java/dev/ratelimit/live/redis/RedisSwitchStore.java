package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

	/** Redis has lost a change of the switch that this instance knows. */
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
		String name = KnownSwitches.name(rule);
		// No later than the user waits, however long the replies took that show the
		// clock.
		long latestMillis = this.clock.earliestMillis() + PATIENCE.toMillis();
		for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
			long[] reply = attempt(name, millis, text, latestMillis);
			if (reply[1] != LOST) {
				return changed(name, text, reply);
			}
			this.memory.restore();
		}
		return changed(name, text, attempt(name, millis, text, latestMillis));
	}

	private long changed(String name, String text, long[] reply) {
		long ends = reply[1];
		if (ends == LOST) {
			throw new StoreException(StoreException.Kind.CONNECTION, "Redis lost the switch meanwhile", null);
		}
		if (ends < 0) {
			throw new StoreException(StoreException.Kind.TIMEOUT, "Redis was too late", null);
		}
		if (ends > 0) {
			this.memory.changed(name, new KeptSwitch(ends, reply[2], text), this.clock.nowMillis());
		}
		return ends;
	}

	// After the latest time, which the user no longer waits for, Redis changes nothing.
	private long[] attempt(String name, long millis, String text, long latestMillis) {
		KeptSwitch last = this.memory.known().last(name);
		return this.change.await(PATIENCE, Long.toString(last.number()), Long.toString(last.untilMillis()),
				SwitchMemory.random(), name, Long.toString(millis), text, text, Long.toString(latestMillis));
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
