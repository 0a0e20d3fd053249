package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.List;

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
	 * Read the switches. Blocks.
	 * @throws dev.ratelimit.store.StoreException if Redis is unavailable
	 */
	synchronized void read() {
		this.changed = false;
		try (SharedSession session = this.keys.decisions()) {
			KnownSwitches read = KnownSwitches.of(session.hash(LiveNames.SWITCHES));
			// Redis may have lost its data since the poll.
			if (!this.known.isAfter(read.counter())) {
				this.known = read;
			}
			this.responded = true;
		}
		catch (StoreException ex) {
			this.changed = true;
			throw ex;
		}
	}

	/**
	 * This instance has changed a switch in Redis: read what there is now. If that fails,
	 * the change is known until the next poll.
	 * @param name the name of the switch
	 * @param text what it is now
	 */
	synchronized void changed(String name, String text) {
		try {
			read();
		}
		catch (StoreException ex) {
			logger.debug("Failed to read the switches after a change", ex);
			this.known = this.known.with(name, text);
			this.responded = true;
		}
	}

	/**
	 * Take the known switches back to Redis, if it has lost them. Blocks.
	 * @throws dev.ratelimit.store.StoreException if Redis is unavailable
	 */
	void restore() {
		this.restore.await(PATIENCE, this.known.arguments());
	}

}
