package dev.ratelimit.store.slot;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.LimitStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One request on several slots: all parts are sent at once, and what was taken in some is
 * given back if another rejects or fails. Nobody waits for the giving back, but it is on
 * its way before the result is: what follows on the same connection finds it done.
 */
final class CompositeDecision extends CompletableFuture<AcquireResult> {

	private static final Log logger = LogFactory.getLog(CompositeDecision.class);

	private static final int NONE = -1;

	private final AcquireRequest request;

	private final List<SlotPart> parts;

	private final LimitStore perSlot;

	private final LatelyDenied latelyDenied;

	private final CompositeResults results;

	private final AtomicInteger open = new AtomicInteger();

	CompositeDecision(AcquireRequest request, List<SlotPart> parts, LimitStore perSlot, LatelyDenied latelyDenied) {
		this.request = request;
		this.parts = parts;
		this.perSlot = perSlot;
		this.latelyDenied = latelyDenied;
		this.results = new CompositeResults(parts);
	}

	void start() {
		for (int i = 0; i < this.parts.size(); i++) {
			if (this.latelyDenied.knows(this.parts.get(i).request())) {
				askAlone(i);
				return;
			}
		}
		askAllBut(NONE);
	}

	private void askAlone(int first) {
		this.perSlot.acquire(this.parts.get(first).request()).whenComplete((result, failure) -> {
			this.results.note(first, result, failure);
			// The deadline may be over by now: the guards of the other slots then answer
			// at
			// once, by the policies of the rules.
			if (result == null || !result.admitted()) {
				conclude();
			}
			else {
				askAllBut(first);
			}
		});
	}

	private void askAllBut(int asked) {
		this.open.set((asked == NONE) ? this.parts.size() : this.parts.size() - 1);
		for (int i = 0; i < this.parts.size(); i++) {
			if (i != asked) {
				ask(i);
			}
		}
	}

	private void ask(int part) {
		this.perSlot.acquire(this.parts.get(part).request()).whenComplete((result, failure) -> {
			this.results.note(part, result, failure);
			if (this.open.decrementAndGet() == 0) {
				conclude();
			}
		});
	}

	// A rejection is certain, whatever a part that failed would have said.
	private void conclude() {
		this.results.rejected().forEach((result) -> this.latelyDenied.note(result.request(), result.verdicts()));
		if (this.results.admitted()) {
			complete(this.results.result(this.request, true));
			return;
		}
		this.results.taken().forEach(this::refund);
		if (this.results.rejected().isEmpty()) {
			completeExceptionally(this.results.failure());
		}
		else {
			complete(this.results.result(this.request, false));
		}
	}

	private void refund(AcquireResult result) {
		this.perSlot.release(result).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("Failed to refund a charge in one slot", failure);
			}
		});
	}

}
