package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.ArrayList;
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
import dev.ratelimit.store.redis.SharedSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Internal: switches in Redis, which all instances poll. While Redis is unavailable,
 * known switches stay active until they end. If Redis has lost switches, the first
 * instance that detects this restores them.
 */
public final class RedisSwitchStore implements SwitchStore {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	/**
	 * The maximum number of attempts, because Redis may lose data again after it was
	 * restored.
	 */
	private static final int ATTEMPTS = 3;

	/** The reply if Redis has lost a change of the switch that this instance knows. */
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
		this.memory.resume(present);
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
		// The latest time does not exceed the wait of the user, because it is based on
		// the earliest possible time of the server.
		long latestMillis = this.clock.earliestMillis() + TIMEOUT.toMillis();
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

	// After the latest time, when the user no longer waits, Redis rejects the change.
	private long[] attempt(String name, long millis, String text, long latestMillis) {
		KeptSwitch last = this.memory.current().last(name);
		return this.change.await(TIMEOUT, Long.toString(last.number()), Long.toString(last.untilMillis()),
				SwitchMemory.random(), name, Long.toString(millis), text, text, Long.toString(latestMillis));
	}

	@Override
	public Optional<List<RuleSwitch>> current() {
		return (this.memory.responded()) ? Optional.of(this.memory.current().at(nowMillis())) : Optional.empty();
	}

	@Override
	public void close() {
		this.following.close();
	}

	/**
	 * Reads the switches when a poll shows that they have changed, and publishes those
	 * that have not ended.
	 */
	private static final class SwitchFollower extends LivePoll.Follower<List<RuleSwitch>> {

		private static final Log logger = LogFactory.getLog(SwitchFollower.class);

		private final SwitchMemory memory;

		private final LiveClock clock;

		private List<RuleSwitch> published;

		/**
		 * The counter is compared in addition, because the receiver may have changed a
		 * switch and changed it back.
		 */
		private long publishedCounter;

		SwitchFollower(SwitchMemory memory, LiveClock clock, List<RuleSwitch> published,
				Consumer<List<RuleSwitch>> changes) {
			super(changes);
			this.memory = memory;
			this.clock = clock;
			this.published = published;
		}

		@Override
		protected void polled(PollReply reply) {
			try {
				if (this.memory.isOutdated(reply.switches())) {
					this.memory.read(this.clock.nowMillis());
				}
				publishNews();
			}
			catch (StoreException ex) {
				// The next poll tries again, and shows whether Redis is available.
				logger.debug("Failed to read the switches", ex);
				publishNews();
			}
		}

		@Override
		protected void failed(StoreException failure) {
			publishNews();
		}

		// Before Redis has responded, the switches of the receiver are more recent.
		private synchronized void publishNews() {
			KnownSwitches current = this.memory.current();
			List<RuleSwitch> present = current.at(this.clock.nowMillis());
			boolean news = !present.equals(this.published) || current.counter() != this.publishedCounter;
			if (this.memory.responded() && news) {
				this.published = present;
				this.publishedCounter = current.counter();
				publish(present);
			}
		}

	}

	/**
	 * The switches that this instance knows, even if Redis has lost them. Thread-safe.
	 */
	private static final class SwitchMemory {

		private static final Log logger = LogFactory.getLog(SwitchMemory.class);

		private static final Duration TIMEOUT = Duration.ofSeconds(2);

		private final SharedKeys keys;

		private final SharedScript restore;

		private volatile KnownSwitches current = KnownSwitches.NONE;

		/** Whether the switches were read from Redis. */
		private volatile boolean responded;

		/** Whether this instance has made a change that it has not read back yet. */
		private volatile boolean changed;

		SwitchMemory(SharedKeys keys) {
			this.keys = keys;
			this.restore = keys.script(List.of("live-restore-switches"), LiveNames.SWITCHES);
		}

		KnownSwitches current() {
			return this.current;
		}

		/**
		 * Keep the switches that the receiver had before a restart, until Redis shows
		 * later ones. If Redis has lost them, they are restored.
		 * @param switches the switches
		 */
		synchronized void resume(List<RuleSwitch> switches) {
			KnownSwitches resumed = this.current.with(KnownSwitches.of(switches), 0);
			this.changed |= !resumed.equals(this.current);
			this.current = resumed;
		}

		boolean responded() {
			return this.responded;
		}

		/**
		 * Whether the switches must be read.
		 * @param counter the counter of the switches in Redis
		 * @return whether the switches in Redis differ, or this instance has changed one
		 */
		boolean isOutdated(long counter) {
			boolean same = counter == this.current.counter();
			this.responded |= same && !this.changed;
			return this.changed || !same;
		}

		/**
		 * Read the switches, and restore those that Redis has lost. Blocks.
		 * @param nowMillis the time
		 * @throws dev.ratelimit.store.StoreException if Redis is unavailable
		 */
		synchronized void read(long nowMillis) {
			this.changed = true;
			KnownSwitches read = stored();
			this.current = read.with(this.current, nowMillis);
			this.responded = true;
			// If switches were restored, the next poll reads them again, because Redis
			// may lose them again.
			this.changed = !this.current.texts().equals(read.texts()) && restore();
		}

		private KnownSwitches stored() {
			try (SharedSession session = this.keys.decisions()) {
				return KnownSwitches.of(session.hash(LiveNames.SWITCHES));
			}
		}

		/**
		 * Record a change of a switch in Redis by this instance. If Redis loses the
		 * change now, no other instance may know it.
		 * @param name the name of the switch
		 * @param change the new state of the switch
		 * @param nowMillis the time
		 */
		synchronized void changed(String name, KeptSwitch change, long nowMillis) {
			this.current = this.current.with(name, change);
			try {
				read(nowMillis);
			}
			catch (StoreException ex) {
				// The change is known to this instance; the next poll reads the switches
				// again.
				logger.debug("Failed to read the switches after a change", ex);
				this.responded = true;
			}
		}

		/**
		 * Restore the known switches in Redis, if it has lost them. Blocks.
		 * @return whether Redis had lost switches
		 * @throws dev.ratelimit.store.StoreException if Redis is unavailable
		 */
		boolean restore() {
			List<String> fields = this.current.fields();
			List<String> arguments = new ArrayList<>(List.of(random(), Integer.toString(fields.size() / 2)));
			arguments.addAll(fields);
			return this.restore.await(TIMEOUT, arguments.toArray(String[]::new))[1] > 0;
		}

		static String random() {
			return Integer.toString(ThreadLocalRandom.current().nextInt(1_000_000));
		}

	}

}
