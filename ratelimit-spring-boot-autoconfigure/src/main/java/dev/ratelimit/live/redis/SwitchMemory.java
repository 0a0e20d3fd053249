package dev.ratelimit.live.redis;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedScript;
import dev.ratelimit.store.redis.SharedSession;

/**
 * The switches that this instance knows, whether or not Redis still does. Thread-safe.
 */
final class SwitchMemory {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final SharedKeys keys;

	private final SharedScript restore;

	private volatile KnownSwitches known = KnownSwitches.NONE;

	SwitchMemory(SharedKeys keys) {
		this.keys = keys;
		this.restore = keys.script(List.of("live-restore-switches"), LiveNames.SWITCHES);
	}

	KnownSwitches known() {
		return this.known;
	}

	/**
	 * Read the switches. Blocks.
	 * @throws dev.ratelimit.store.StoreException if Redis is unavailable
	 */
	void read() {
		try (SharedSession session = this.keys.decisions()) {
			KnownSwitches read = KnownSwitches.of(session.hash(LiveNames.SWITCHES));
			// Redis may have lost its data since the poll.
			if (!this.known.isAfter(read.counter())) {
				this.known = read;
			}
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
