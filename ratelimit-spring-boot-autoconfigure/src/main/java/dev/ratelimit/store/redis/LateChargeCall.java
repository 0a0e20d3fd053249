package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;

/**
 * A charge for what was admitted without the server, as of the admission. The time of
 * that is by the server's clock as far as it is known, never later: a client is not
 * rejected for longer than its limit says. Until the clock is known, and after the
 * deadline, the script charges nothing.
 */
final class LateChargeCall extends CompletableFuture<Settlement> {

	/** Before any time of any server, so that the script only replies the time. */
	private static final long NOT_YET = -1;

	private final RedisLuaExecutor executor;

	private final RequestEncoder encoder;

	private final LateCharge late;

	private final RedisNodes nodes;

	private final ServerClock server;

	private final long takenNanos;

	private long sentNanos;

	private boolean again;

	LateChargeCall(RedisLuaExecutor executor, RequestEncoder encoder, LateCharge late, RedisNodes nodes) {
		this.executor = executor;
		this.encoder = encoder;
		this.late = late;
		this.nodes = nodes;
		this.server = nodes.clock(nodes.of(late.bucket()));
		this.takenNanos = this.server.nanos() - TimeUnit.MILLISECONDS.toNanos(late.ageMillis());
	}

	LateChargeCall send() {
		this.sentNanos = this.server.nanos();
		Settlement charge = new Settlement(this.late.bucket(),
				this.nodes.earliestMillisAt(this.server, this.takenNanos), this.late.correction().units());
		long deadlineMillis = (this.server.isKnown()) ? this.server.latestMillisAt(this.late.deadlineNanos()) : NOT_YET;
		this.executor.run(this.encoder.charge(charge, this.nodes.nowMillis(this.server), deadlineMillis))
			.whenComplete((numbers, failure) -> responded(charge, numbers, failure));
		return this;
	}

	private void responded(Settlement charge, long[] numbers, Throwable failure) {
		if (failure != null) {
			completeExceptionally(failure);
		}
		else if (numbers.length > 1) {
			complete(charge);
		}
		else if (this.again || this.server.nanos() - this.late.deadlineNanos() >= 0) {
			completeExceptionally(StoreException.uncharged(Kind.TIMEOUT, "the script ran after the deadline", null));
		}
		else {
			this.again = true;
			this.server.reset(numbers[0], this.sentNanos);
			send();
		}
	}

}
