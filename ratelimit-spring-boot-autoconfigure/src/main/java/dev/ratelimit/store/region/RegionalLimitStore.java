package dev.ratelimit.store.region;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.ChargeResult;
import dev.ratelimit.store.ChargeTerms;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.LocalCharge;
import dev.ratelimit.store.LocalLimitStore;
import dev.ratelimit.store.ReservationTerms;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreStage;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: counts in the store of this region, and reports the charges of shared limits
 * to the stores of the other regions. No request waits for another region. Charges of
 * fallbacks are not reported, nor are retries that were not charged. Thread-safe.
 */
public final class RegionalLimitStore implements LocalLimitStore, AutoCloseable {

	private static final Log logger = LogFactory.getLog(RegionalLimitStore.class);

	private static final long LAST_REPORT_MILLIS = 200;

	private final StoreStage next;

	private final List<PeerRegion> peers;

	private final Upkeep.Task reports;

	private final Time time;

	/**
	 * The time by which the clock of the store is ahead of the clock of this instance.
	 */
	private volatile long aheadMillis;

	/**
	 * Create a stage before the store of this region.
	 * @param next the store
	 * @param peers the other regions
	 * @param interval the interval between reports
	 * @param upkeep runs the reports
	 * @param time the time
	 */
	public RegionalLimitStore(StoreStage next, List<PeerRegion> peers, Duration interval, Upkeep upkeep, Time time) {
		this.next = next;
		this.peers = List.copyOf(peers);
		this.time = time;
		this.reports = upkeep.start(interval, interval, "Failed to report charges to another region", this::report);
	}

	/**
	 * Return the other regions.
	 * @return the regions, in the order of the properties
	 */
	public List<PeerRegion> peers() {
		return this.peers;
	}

	void report() {
		this.peers.forEach(PeerRegion::report);
	}

	@Override
	public String name() {
		return this.next.name();
	}

	@Override
	public CompletableFuture<AcquireResult> acquire(AcquireRequest request) {
		CompletableFuture<AcquireResult> decision = this.next.acquire(request);
		if (isReported(request)) {
			decision.thenAccept((result) -> charged(result, 1));
		}
		return decision;
	}

	// Only the memory of this instance decides here, and its counts are not shared.
	@Override
	public @Nullable LocalCharge chargeLocally(BucketFamily family, String subject, long cost, ChargeTerms terms,
			ReservationTerms reservation) {
		return (!family.isReported() && this.next instanceof LocalLimitStore local)
				? local.chargeLocally(family, subject, cost, terms, reservation) : null;
	}

	private static boolean isReported(AcquireRequest request) {
		List<Charge> charges = request.charges();
		for (int i = 0; i < charges.size(); i++) {
			if (charges.get(i).bucket().family().isReported()) {
				return true;
			}
		}
		return false;
	}

	private void charged(AcquireResult result, int sign) {
		List<Charge> charges = result.request().charges();
		for (int i = 0; i < charges.size(); i++) {
			if (charges.get(i).bucket().family().isReported() && result.charged(i) > 0) {
				ChargeResult charge = result.charge(i);
				if (charge.source() == Source.REMOTE && !(sign < 0 && charge.marked())) {
					this.aheadMillis = result.atMillis() - nowMillis();
					add(charge.settlement(sign * result.charged(i)));
				}
			}
		}
	}

	private void add(Settlement charge) {
		this.peers.forEach((peer) -> peer.add(charge));
	}

	@Override
	public CompletableFuture<Void> release(AcquireResult result) {
		// A charge with a replay marker may stand, because a replay was free already. Its
		// refund is not reported, so that the peers never count too little.
		if (isReported(result.request())) {
			charged(result, -1);
		}
		return this.next.release(result);
	}

	@Override
	public CompletableFuture<Void> settle(List<Settlement> settlements) {
		for (Settlement settlement : settlements) {
			// Charges of a fallback were not reported, so their refunds are not reported
			// either.
			if (settlement.bucket().family().isReported() && !settlement.bucket().isFallback()) {
				add((settlement.units() > 0) ? now(settlement) : settlement);
			}
		}
		return this.next.settle(settlements);
	}

	// The store charges additional units as of now, and refunds units as of the charge.
	private Settlement now(Settlement added) {
		long nowMillis = nowMillis() + this.aheadMillis;
		return (added.takenAtMillis() >= nowMillis) ? added : new Settlement(added.bucket(), nowMillis, added.units());
	}

	private long nowMillis() {
		return TimeUnit.NANOSECONDS.toMillis(this.time.nanos());
	}

	@Override
	public CompletableFuture<Long> returnLease(LeaseReturn unspent) {
		CompletableFuture<Long> returned = this.next.returnLease(unspent);
		if (unspent.bucket().family().isReported()) {
			returned.thenAccept((units) -> add(new Settlement(unspent.bucket(), unspent.takenAtMillis(), -units)));
		}
		return returned;
	}

	@Override
	public CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held) {
		return this.next.renew(held);
	}

	@Override
	public CompletableFuture<Void> reset(List<Bucket> buckets) {
		List<Bucket> reported = buckets.stream().filter((bucket) -> bucket.family().isReported()).toList();
		if (!reported.isEmpty()) {
			this.peers.forEach((peer) -> peer.reset(reported));
		}
		return this.next.reset(buckets);
	}

	/**
	 * Report the remaining charges, and stop.
	 */
	@Override
	public void close() {
		this.reports.close();
		// A pending report does not contain later charges, so another report follows.
		CompletableFuture<?>[] last = this.peers.stream()
			.map((peer) -> peer.report().thenCompose((done) -> peer.report()))
			.toArray(CompletableFuture<?>[]::new);
		try {
			CompletableFuture.allOf(last).get(LAST_REPORT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("The last charges may not have been reported to all regions", ex);
		}
	}

}
