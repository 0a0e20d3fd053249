package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The switches that this instance knows, whether or not Redis still does. Thread-safe.
 */
final class SwitchMemory {

	private static final Log logger = LogFactory.getLog(SwitchMemory.class);

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final SharedKeys keys;

	private final SharedScript restore;

	private volatile KnownSwitches known = KnownSwitches.NONE;

	/** Whether Redis has said what there is. */
	private volatile boolean responded;

	/** Whether this instance has changed something that it has not read since. */
	private volatile boolean changed;

	SwitchMemory(SharedKeys keys) {
		this.keys = keys;
		this.restore = keys.script(List.of("live-restore-switches"), LiveNames.SWITCHES);
	}

	KnownSwitches known() {
		return this.known;
	}

	boolean responded() {
		return this.responded;
	}

	/**
	 * Whether the switches must be read.
	 * @param counter their counter in Redis
	 * @return whether Redis has others, or this instance has changed one
	 */
	boolean isOutdated(long counter) {
		this.responded |= counter == this.known.counter();
		return this.changed || counter != this.known.counter();
	}

	/**
	 * Read the switches, and give Redis what it has lost of them. Blocks.
	 * @param nowMillis the time
	 * @throws dev.ratelimit.store.StoreException if Redis is unavailable
	 */
	synchronized void read(long nowMillis) {
		this.changed = true;
		KnownSwitches read = stored();
		this.known = read.with(this.known, nowMillis);
		this.responded = true;
		// What Redis takes is read back by the next poll: Redis may lose it again.
		this.changed = !this.known.texts().equals(read.texts()) && restore();
	}

	private KnownSwitches stored() {
		try (SharedSession session = this.keys.decisions()) {
			return KnownSwitches.of(session.hash(LiveNames.SWITCHES));
		}
	}

	/**
	 * This instance has changed a switch in Redis. It may be the only one that has seen
	 * the change if Redis loses it now.
	 * @param name the name of the switch
	 * @param change what it is now
	 * @param nowMillis the time
	 */
	synchronized void changed(String name, KeptSwitch change, long nowMillis) {
		this.known = this.known.with(name, change);
		try {
			read(nowMillis);
		}
		catch (StoreException ex) {
			// Until the next poll, the change is known.
			logger.debug("Failed to read the switches after a change", ex);
			this.responded = true;
		}
	}

	/**
	 * Give the known switches to Redis, if it has lost them. Blocks.
	 * @return whether it had
	 * @throws dev.ratelimit.store.StoreException if Redis is unavailable
	 */
	boolean restore() {
		List<String> fields = this.known.fields();
		List<String> arguments = new ArrayList<>(List.of(random(), Integer.toString(fields.size() / 2)));
		arguments.addAll(fields);
		return this.restore.await(PATIENCE, arguments.toArray(String[]::new))[1] > 0;
	}

	static String random() {
		return Integer.toString(ThreadLocalRandom.current().nextInt(1_000_000));
	}

}
