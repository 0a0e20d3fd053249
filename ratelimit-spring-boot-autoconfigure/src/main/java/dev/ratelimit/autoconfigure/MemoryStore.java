package dev.ratelimit.autoconfigure;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.hold.HeldLimitStore;
import dev.ratelimit.store.hold.HoldingStatus;

/**
 * The in-memory store with the stage before it, which holds slots for the duration of
 * requests, up to the maximum time of their rules.
 *
 * @param slots the stage that holds slots
 */
record MemoryStore(HeldLimitStore slots) implements AutoCloseable {

	LimitStore first() {
		return this.slots;
	}

	HoldingStatus holdings() {
		return this.slots.status();
	}

	@Override
	public void close() {
		this.slots.close();
	}

}
