package dev.ratelimit.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Demand;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.StoreException.Kind;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One demand on several slots: all parts are asked at once, and what was taken in some is
 * given back if another refuses or fails. Nobody waits for the giving back, but it is on
 * its way before the answer is: what follows on the same connection finds it done.
 */
final class JointDecision extends CompletableFuture<Answer> {

	private static final Log logger = LogFactory.getLog(JointDecision.class);

	private static final int NONE = -1;

	private final Demand demand;

	private final List<SlotPart> parts;

	private final SlotCalls calls;

	private final LatelyDenied latelyDenied;

	private final JointReplies replies;

	private final AtomicInteger open = new AtomicInteger();

	JointDecision(Demand demand, List<SlotPart> parts, SlotCalls calls, LatelyDenied latelyDenied) {
		this.demand = demand;
		this.parts = parts;
		this.calls = calls;
		this.latelyDenied = latelyDenied;
		this.replies = new JointReplies(parts);
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
		this.calls.ask(this.parts.get(first).demand()).whenComplete((reply, failure) -> {
			this.replies.note(first, reply, failure);
			if (reply == null || !reply.admitted()) {
				conclude();
			}
			else if (System.nanoTime() - this.demand.deadlineNanos() >= 0) {
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
		this.calls.ask(this.parts.get(part).demand()).whenComplete((reply, failure) -> {
			this.replies.note(part, reply, failure);
			if (this.open.decrementAndGet() == 0) {
				conclude();
			}
		});
	}

	// A refusal is certain, whatever a part that failed would have said.
	private void conclude() {
		this.replies.refused().forEach((reply) -> this.latelyDenied.note(reply.demand(), reply.answer().verdicts()));
		if (this.replies.admitted()) {
			complete(this.replies.answer(this.demand, true));
			return;
		}
		this.replies.taken().forEach(this::giveBack);
		if (this.replies.refused().isEmpty()) {
			completeExceptionally(this.replies.failure());
		}
		else {
			complete(this.replies.answer(this.demand, false));
		}
	}

	// Nobody waits any longer: what is taken now would be taken for nothing.
	private void giveUp() {
		this.replies.taken().forEach(this::giveBack);
		completeExceptionally(new StoreException(Kind.TIMEOUT, "no time left to ask the other slots", null));
	}

	private void giveBack(Reply reply) {
		this.calls.undo(reply).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.debug("What a request took in one slot could not be given back", failure);
			}
		});
	}

}
