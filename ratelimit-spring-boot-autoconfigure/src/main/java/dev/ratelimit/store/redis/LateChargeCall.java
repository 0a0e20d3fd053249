package dev.ratelimit.store.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.LateCharge;
import dev.ratelimit.store.Settlement;

/**
 * A charge for what was admitted without the server, as of the admission. The time of
 * that is by the server's clock as far as it is known, never later: a client is not
 * rejected for longer than its limit says. Until the clock is known, and after the
 * deadline, the script charges nothing.
 */
final class LateChargeCall extends TimedCall<Settlement> {

	/** Before any time of any server, so that the script only replies the time. */
	private static final long NOT_YET = -1;

	private final RedisLuaExecutor executor;

	private final RequestEncoder encoder;

	private final LateCharge late;

	private final RedisNodes nodes;

	private final ServerClock server;

	private final long takenNanos;

	private Settlement charge;

	LateChargeCall(RedisLuaExecutor executor, RequestEncoder encoder, LateCharge late, RedisNodes nodes,
			ServerClock server) {
		super(server, late.deadlineNanos());
		this.executor = executor;
		this.encoder = encoder;
		this.late = late;
		this.nodes = nodes;
		this.server = server;
		this.takenNanos = server.nanos() - TimeUnit.MILLISECONDS.toNanos(late.ageMillis());
		this.charge = late.correction();
	}

	LateChargeCall send() {
		start();
		return this;
	}

	@Override
	CompletableFuture<long[]> run() {
		this.charge = new Settlement(this.late.bucket(), this.nodes.earliestMillisAt(this.server, this.takenNanos),
				this.late.correction().units());
		long deadlineMillis = (this.server.isKnown()) ? this.server.latestMillisAt(this.late.deadlineNanos()) : NOT_YET;
		return this.executor.run(this.encoder.charge(this.charge, this.nodes.nowMillis(this.server), deadlineMillis));
	}

	@Override
	Settlement result(Reply reply) {
		return this.charge;
	}

}
