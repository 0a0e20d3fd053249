package dev.ratelimit.candidate;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.live.redis.LiveNames;
import dev.ratelimit.live.redis.LivePoll;
import dev.ratelimit.live.redis.PollReply;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.store.redis.SharedSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reads the candidate when a poll shows that there is another one, or none any more.
 */
final class CandidateFollower implements LivePoll.Follower {

	private static final Log logger = LogFactory.getLog(CandidateFollower.class);

	private final SharedKeys keys;

	private final Consumer<Optional<CandidateDocument>> changes;

	/** What was read last; read and written by polls alone. */
	private long counter;

	private boolean closed;

	CandidateFollower(SharedKeys keys, Consumer<Optional<CandidateDocument>> changes) {
		this.keys = keys;
		this.changes = changes;
	}

	@Override
	public void polled(PollReply reply) {
		if (reply.candidate() == this.counter) {
			return;
		}
		try (SharedSession session = this.keys.open()) {
			Map<String, String> fields = session.hash(LiveNames.CANDIDATE);
			this.counter = CandidateText.counter(fields);
			tell(CandidateText.of(fields).map(CandidateStore.Counted::document));
		}
		catch (StoreException ex) {
			// The next poll tries again.
			logger.debug("Failed to read the candidate", ex);
		}
		catch (IllegalArgumentException ex) {
			this.counter = reply.candidate();
			logger.warn("The candidate in Redis cannot be read: " + ex.getMessage());
			tell(Optional.empty());
		}
	}

	// While Redis is unavailable, the candidate stays, and is skipped.
	@Override
	public void failed(StoreException failure) {
		logger.trace("Failed to poll", failure);
	}

	private synchronized void tell(Optional<CandidateDocument> next) {
		if (!this.closed) {
			this.changes.accept(next);
		}
	}

	/** Nothing is told from now on. */
	@Override
	public synchronized void close() {
		this.closed = true;
	}

}
