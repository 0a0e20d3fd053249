package dev.ratelimit.autoconfigure;

import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.hold.HeldLimitStore;
import dev.ratelimit.store.hold.HoldingStatus;

/**
 * The store in memory with the stage before it: slots are held for as long as requests
 * take, and no longer than their rules allow.
 *
 * @param slots the stage
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
