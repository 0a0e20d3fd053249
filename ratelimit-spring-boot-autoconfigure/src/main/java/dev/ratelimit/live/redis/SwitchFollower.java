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

	private List<RuleSwitch> told;

	/** Until Redis has responded, the receiver knows more than this instance. */
	private boolean known;

	private boolean closed;

	SwitchFollower(SwitchMemory memory, LiveClock clock, List<RuleSwitch> told, Consumer<List<RuleSwitch>> changes) {
		this.memory = memory;
		this.clock = clock;
		this.told = told;
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
			tell(true);
		}
		catch (StoreException ex) {
			// The next poll tries again, and shows whether Redis is available.
			logger.debug("Failed to read the switches", ex);
			tell(false);
		}
	}

	@Override
	public void failed(StoreException failure) {
		tell(false);
	}

	private synchronized void tell(boolean responded) {
		this.known |= responded;
		List<RuleSwitch> present = this.memory.known().at(this.clock.nowMillis());
		if (this.known && !this.closed && !present.equals(this.told)) {
			this.told = present;
			this.changes.accept(present);
		}
	}

	/** Nothing is told from now on. */
	@Override
	public synchronized void close() {
		this.closed = true;
	}

}
