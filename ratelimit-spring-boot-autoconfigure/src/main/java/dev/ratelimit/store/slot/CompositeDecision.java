package dev.ratelimit.store.slot;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One demand on several slots: all parts are asked at once, and what was taken in some is
 * given back if another refuses or fails. Nobody waits for the giving back, but it is on
 * its way before the answer is: what follows on the same connection finds it done.
 */
final class CompositeDecision extends CompletableFuture<AcquireResult> {

	private static final Log logger = LogFactory.getLog(CompositeDecision.class);

	private static final int NONE = -1;

	private final AcquireRequest demand;

	private final List<SlotPart> parts;

	private final LimitStore perSlot;

	private final LatelyDenied latelyDenied;

	private final Time time;

	private final CompositeResults answers;

	private final AtomicInteger open = new AtomicInteger();

	CompositeDecision(AcquireRequest demand, List<SlotPart> parts, LimitStore perSlot, LatelyDenied latelyDenied,
			Time time) {
		this.demand = demand;
		this.parts = parts;
		this.perSlot = perSlot;
		this.latelyDenied = latelyDenied;
		this.time = time;
		this.answers = new CompositeResults(parts);
	}

	void start() {
		for (int i = 0; i < this.parts.size(); i++) {
			if (this.latelyDenied.knows(this.parts.get(i).demand())) {
				askAlone(i);
				return;
			}
		}
		askAllBut(NONE);
	}

	private void askAlone(int first) {
		this.perSlot.acquire(this.parts.get(first).demand()).whenComplete((answer, failure) -> {
			this.answers.note(first, answer, failure);
			if (answer == null || !answer.admitted()) {
				conclude();
			}
			else if (this.time.nanos() - this.demand.deadlineNanos() >= 0) {
				giveUp();
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
		this.perSlot.acquire(this.parts.get(part).demand()).whenComplete((answer, failure) -> {
			this.answers.note(part, answer, failure);
			if (this.open.decrementAndGet() == 0) {
				conclude();
			}
		});
	}

	// A refusal is certain, whatever a part that failed would have said.
	private void conclude() {
		this.answers.refused().forEach((answer) -> this.latelyDenied.note(answer.demand(), answer.verdicts()));
		if (this.answers.admitted()) {
			complete(this.answers.answer(this.demand, true));
			return;
		}
		this.answers.taken().forEach(this::giveBack);
		if (this.answers.refused().isEmpty()) {
			completeExceptionally(this.answers.failure());
		}
		else {
			complete(this.answers.answer(this.demand, false));
		}
	}

	// Nobody waits any longer: what is taken now would be taken for nothing.
	private void giveUp() {
		this.answers.taken().forEach(this::giveBack);
		completeExceptionally(new StoreException(Kind.TIMEOUT, "no time left to call the other slots", null));
	}

	private void giveBack(AcquireResult answer) {
		this.perSlot.release(answer).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("Failed to refund a charge in one slot", failure);
			}
		});
	}

}
