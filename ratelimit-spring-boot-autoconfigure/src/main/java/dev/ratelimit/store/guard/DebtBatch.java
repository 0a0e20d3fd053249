package dev.ratelimit.store.guard;

/**
 * The number of debts that are sent to a node at a time. It starts at one and doubles
 * after each batch that was charged, so that a node that has just become available is not
 * flooded. A batch with a failure resets it to one. The next batch is sent after all
 * debts of the previous batch have a response. Thread-safe.
 */
final class DebtBatch {

	private static final int MAX = 512;

	private int size = 1;

	private int sent;

	private int underWay;

	private boolean open = true;

	private boolean failed;

	/**
	 * Add one debt to the batch.
	 * @return whether it may be sent now
	 */
	synchronized boolean enter() {
		if (!this.open || this.sent >= this.size) {
			return false;
		}
		this.sent++;
		this.underWay++;
		return true;
	}

	/**
	 * Record the response to a debt.
	 * @param charged whether the debt was charged
	 */
	synchronized void leave(boolean charged) {
		this.underWay--;
		this.failed |= !charged;
		next();
	}

	/** Add no more debts to this batch. */
	synchronized void end() {
		this.open = false;
		next();
	}

	private void next() {
		if (!this.open && this.underWay == 0) {
			this.size = (this.failed) ? 1 : Math.min(MAX, 2 * this.size);
			this.sent = 0;
			this.failed = false;
			this.open = true;
		}
	}

}
