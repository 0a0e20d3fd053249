package dev.ratelimit.live.redis;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Internal: the current follower of a store; at most one follower polls at a time.
 * Thread-safe.
 */
public final class CurrentFollower implements AutoCloseable {

	private final LivePoll poll;

	private final AtomicReference<Optional<LivePoll.Follower<?>>> current = new AtomicReference<>(Optional.empty());

	public CurrentFollower(LivePoll poll) {
		this.poll = poll;
	}

	/**
	 * Start a follower, and stop the previous one.
	 * @param next the follower
	 */
	public void start(LivePoll.Follower<?> next) {
		replace(Optional.of(next));
		this.poll.add(next);
	}

	@Override
	public void close() {
		replace(Optional.empty());
	}

	private void replace(Optional<LivePoll.Follower<?>> next) {
		this.current.getAndSet(next).ifPresent((follower) -> {
			follower.close();
			this.poll.remove(follower);
		});
	}

}
