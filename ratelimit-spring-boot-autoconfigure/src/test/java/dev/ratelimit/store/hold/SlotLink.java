package dev.ratelimit.store.hold;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Source;
import dev.ratelimit.Verdict;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.memory.MemoryLimitStore;

/**
 * The connection of one instance to the server. It loses requests and replies. If it
 * loses one, a rule that fails open counts locally with the full limit, and a rule that
 * fails closed rejects the request.
 */
final class SlotLink implements StoreStage {

	private final SlotServer server;

	private final long holder;

	private final LongSupplier clock;

	private final long leaseMillis;

	private final Supplier<Fate> fates;

	private final MemoryLimitStore alone;

	/** The minimum number of slots of this instance that the server must know. */
	private long known;

	private long beatMillis;

	private long losses;

	SlotLink(SlotServer server, long holder, LongSupplier clock, long leaseMillis, Supplier<Fate> fates) {
		this.server = server;
		this.holder = holder;
		this.clock = clock;
		this.leaseMillis = leaseMillis;
		this.fates = fates;
		this.alone = new MemoryLimitStore(1000, clock);
	}

	/**
	 * Return the number of slots of this instance that the server must know: those that
	 * it received within the last lease and since its last loss of data.
	 */
	long known() {
		boolean forgotten = this.losses != this.server.losses()
				|| this.clock.getAsLong() - this.beatMillis >= this.leaseMillis;
		return (forgotten) ? 0 : this.known;
	}

	private void know(long units, boolean beat) {
		this.known = units;
		this.losses = this.server.losses();
		if (beat) {
			this.beatMillis = this.clock.getAsLong();
		}
	}

	@Override
	public String name() {
		return "simulated";
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		Fate fate = this.fates.get();
		AcquireResult result = null;
		if (fate != Fate.REQUEST_LOST) {
			long before = known();
			result = this.server.acquire(this.holder, request, this.clock.getAsLong());
			if (result.allowed()) {
				know(before + 1, true);
			}
		}
		return (result != null && fate == Fate.FINE) ? CompletableFuture.completedFuture(result) : alone(request);
	}

	private CompletableFuture<AcquireResult> alone(AcquireRequest request) {
		Charge charge = request.charges().get(0);
		if (charge.failure() == FailurePolicy.CLOSED) {
			return CompletableFuture.completedFuture(AcquireResult.of(request, false, Source.FALLBACK, 0,
					List.of(Verdict.unmeasured(charge.bucket().family().policy(), Outcome.FAILED_CLOSED, 1, 1000))));
		}
		AcquireRequest here = request.with(List.of(charge.on(new OwnBucket(charge.bucket()), charge.cost())));
		return this.alone.acquire(here).thenApply((result) -> result.from(Source.FALLBACK));
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		Settlement settlement = settlements.get(0);
		if (settlement.bucket() instanceof OwnBucket) {
			return this.alone.settle(settlements);
		}
		Fate fate = this.fates.get();
		if (fate != Fate.REQUEST_LOST) {
			this.server.release(this.holder, -settlement.units(), this.clock.getAsLong());
			know(Math.max(0, known() + settlement.units()), false);
		}
		return reply(fate, null);
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		Fate fate = this.fates.get();
		Bucket bucket = held.keySet().iterator().next();
		long units = held.get(bucket);
		if (fate != Fate.FINE) {
			this.alone.renew(Map.of(new OwnBucket(bucket), units));
		}
		int lost = 0;
		if (fate != Fate.REQUEST_LOST) {
			lost = this.server.renew(this.holder, units, this.clock.getAsLong());
			know(units, true);
		}
		return reply(fate, SlotRenewal.done(lost));
	}

	private static <T> CompletableFuture<T> reply(Fate fate, T reply) {
		return (fate == Fate.FINE) ? CompletableFuture.completedFuture(reply)
				: CompletableFuture.failedFuture(new IllegalStateException("on purpose"));
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		throw new UnsupportedOperationException();
	}

	/**
	 * The fate of a call.
	 */
	enum Fate {

		FINE, REQUEST_LOST, REPLY_LOST

	}

	/**
	 * A bucket of this instance only, with the name of the bucket on the server.
	 */
	private static final class OwnBucket extends Bucket {

		private OwnBucket(Bucket bucket) {
			super(bucket.family(), bucket.subject());
		}

	}

}
