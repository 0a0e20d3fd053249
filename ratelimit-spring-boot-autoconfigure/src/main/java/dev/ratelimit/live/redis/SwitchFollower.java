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

	/** The receiver may have changed a switch since, also to what it was before. */
	private long toldCounter;

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
			if (this.memory.isOutdated(reply.switches())) {
				this.memory.read(this.clock.nowMillis());
			}
			tell();
		}
		catch (StoreException ex) {
			// The next poll tries again, and shows whether Redis is available.
			logger.debug("Failed to read the switches", ex);
			tell();
		}
	}

	@Override
	public void failed(StoreException failure) {
		tell();
	}

	// Until Redis has responded, the receiver knows more than this instance.
	private synchronized void tell() {
		KnownSwitches known = this.memory.known();
		List<RuleSwitch> present = known.at(this.clock.nowMillis());
		boolean news = !present.equals(this.told) || known.counter() != this.toldCounter;
		if (this.memory.responded() && !this.closed && news) {
			this.told = present;
			this.toldCounter = known.counter();
			this.changes.accept(present);
		}
	}

	/** Nothing is told from now on. */
	@Override
	public synchronized void close() {
		this.closed = true;
	}

}
