package dev.ratelimit.ban;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.ratelimit.base.Resettable;

/**
 * Bans of this instance alone, in memory. Thread-safe.
 */
final class MemoryBanStore implements BanStore, Resettable {

	private final BanBook book;

	private final InstantSource clock;

	private volatile Consumer<Ban> changes = (ban) -> {
	};

	/**
	 * Create an empty store.
	 * @param book stores the bans
	 * @param clock the time
	 */
	MemoryBanStore(BanBook book, InstantSource clock) {
		this.book = book;
		this.clock = clock;
	}

	@Override
	public void start(Consumer<Ban> listener) {
		this.changes = listener;
	}

	@Override
	public long nowMillis() {
		return this.clock.millis();
	}

	@Override
	public CompletableFuture<BanReply> impose(BanOrder order) {
		return CompletableFuture.completedFuture(imposeHere(order));
	}

	@Override
	public BanReply imposeHere(BanOrder order) {
		BanReply reply = this.book.impose(order, nowMillis());
		if (reply.result() == BanReply.Result.IMPOSED) {
			this.book.publish(reply.ban(), this.changes);
		}
		return reply;
	}

	@Override
	public CompletableFuture<Boolean> lift(String rule, String subject, String user) {
		return CompletableFuture.completedFuture(liftHere(rule, subject, user));
	}

	@Override
	public boolean liftHere(String rule, String subject, String user) {
		Optional<Ban> lift = this.book.lift(rule, subject, user, nowMillis());
		lift.ifPresent((ban) -> this.book.publish(ban, this.changes));
		return lift.isPresent();
	}

	@Override
	public List<Ban> active() {
		return this.book.active(nowMillis());
	}

	@Override
	public void reset() {
		this.book.reset();
	}

	@Override
	public void close() {
		this.changes = (ban) -> {
		};
	}

}
