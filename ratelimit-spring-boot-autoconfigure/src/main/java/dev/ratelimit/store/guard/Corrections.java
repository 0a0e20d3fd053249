package dev.ratelimit.store.guard;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.ratelimit.Source;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LeaseReturn;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SlotRenewal;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreStage;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Corrects charges where they were made: at the store, or by the fallback. During an
 * outage, corrections at the store are lost, and the charges remain. Most code ignores
 * the result. Thread-safe.
 */
final class Corrections {

	private static final Log logger = LogFactory.getLog(Corrections.class);

	private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

	private final StoreStage store;

	private final Fallback fallback;

	private final Debts debts;

	private final StoreStatus status;

	Corrections(StoreStage store, Fallback fallback, Debts debts, StoreStatus status) {
		this.store = store;
		this.fallback = fallback;
		this.debts = debts;
		this.status = status;
	}

	CompletableFuture<Void> release(AcquireResult result) {
		if (result.source() == Source.FALLBACK) {
			this.fallback.release(result);
			return atStore(this.debts.correct(result.refunds()));
		}
		this.fallback.forget(result.refunds());
		return noticed(() -> this.store.release(result));
	}

	/**
	 * Refund the charges of a request that was decided before the reply. Slots are not
	 * released here, because their next renewal, which is due already, sets the number of
	 * slots. A release after the renewal would free a slot in use.
	 * @param late the late reply, with charges or a marker to undo
	 * @return completed when the store has refunded the charges
	 */
	CompletableFuture<Void> releaseLate(AcquireResult late) {
		AcquireResult refunded = (this.store.renewsSlots()) ? withoutSlots(late) : late;
		return (refunded.changed()) ? release(refunded) : DONE;
	}

	private static AcquireResult withoutSlots(AcquireResult late) {
		List<Charge> charges = late.request().charges();
		long[] units = new long[charges.size()];
		boolean slots = false;
		for (int i = 0; i < units.length; i++) {
			boolean slot = charges.get(i).bucket().family().policy().concurrent();
			slots |= slot;
			units[i] = (slot) ? 0 : late.charged(i);
		}
		return (slots) ? late.returning(units) : late;
	}

	CompletableFuture<Void> settle(List<Settlement> settlements) {
		this.fallback.settle(settlements);
		return atStore(this.debts.correct(settlements));
	}

	private CompletableFuture<Void> atStore(List<Settlement> settlements) {
		return (settlements.isEmpty()) ? DONE : noticed(() -> this.store.settle(settlements));
	}

	CompletableFuture<Long> returnLease(LeaseReturn lease) {
		return noticed(() -> this.store.returnLease(lease));
	}

	/**
	 * Renew slots at the store, or at the fallback while the store is unavailable.
	 * @param held the number of slots that this instance holds of each bucket
	 * @param circuit the breaker of their node
	 * @return the result of the renewal, or a {@link StoreException} if the store is
	 * unavailable
	 */
	CompletableFuture<SlotRenewal> renew(Map<Bucket, Long> held, Circuit circuit) {
		if (circuit.state() == CircuitBreaker.State.CLOSED) {
			return noticed(() -> this.store.renew(held));
		}
		this.fallback.renew(held);
		return CompletableFuture
			.failedFuture(new StoreException(StoreException.Kind.CONNECTION, "the circuit breaker is open", null));
	}

	CompletableFuture<Void> reset(List<Bucket> buckets) {
		this.fallback.reset(buckets);
		this.debts.forget(buckets);
		return sent(() -> this.store.reset(buckets));
	}

	private <T> CompletableFuture<T> noticed(Supplier<CompletableFuture<T>> correction) {
		return sent(correction).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("Failed to correct a charge", failure);
				this.status.failed(StoreException.of(failure).kind());
			}
		});
	}

	// An exception that the store throws is a failure too.
	private static <T> CompletableFuture<T> sent(Supplier<CompletableFuture<T>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(StoreException.of(ex));
		}
	}

}
