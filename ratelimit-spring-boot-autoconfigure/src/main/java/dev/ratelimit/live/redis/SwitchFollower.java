package dev.ratelimit.live.redis;

import java.util.List;
import java.util.function.Consumer;

import dev.ratelimit.live.RuleSwitch;
import dev.ratelimit.store.StoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reads the switches when a poll shows that they have changed, and tells which have not
 * ended.
 */
final class SwitchFollower implements LivePoll.Follower {

	private static final Log logger = LogFactory.getLog(SwitchFollower.class);

	private final SwitchMemory memory;

	private final LiveClock clock;

	private final Consumer<List<RuleSwitch>> changes;

	private List<RuleSwitch> told = List.of();

	private boolean closed;

	SwitchFollower(SwitchMemory memory, LiveClock clock, Consumer<List<RuleSwitch>> changes) {
		this.memory = memory;
		this.clock = clock;
		this.changes = changes;
	}

	@Override
	public void polled(PollReply reply) {
		try {
			if (this.memory.known().isAfter(reply.switches())) {
				this.memory.restore();
			}
			else if (this.memory.known().counter() != reply.switches()) {
				this.memory.read();
			}
		}
		catch (StoreException ex) {
			// The next poll tries again, and shows whether Redis is available.
			logger.debug("Failed to read the switches", ex);
		}
		tell();
	}

	@Override
	public void failed(StoreException failure) {
		tell();
	}

	private synchronized void tell() {
		List<RuleSwitch> present = this.memory.known().at(this.clock.nowMillis());
		if (!this.closed && !present.equals(this.told)) {
			this.told = present;
			this.changes.accept(present);
		}
	}

	/** Nothing is told from now on. */
	synchronized void close() {
		this.closed = true;
	}

}
