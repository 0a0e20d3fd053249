package dev.ratelimit.store.guard;

/**
 * How many debts are sent to a node at a time: one at first, and twice as many after each
 * batch that was charged, so that a node that has just come back is not flooded. The next
 * batch is sent once the one before has been answered. Thread-safe.
 */
final class DebtBatch {

	private static final int MAX = 512;

	private int size = 1;

	private int sent;

	private int underWay;

	private boolean open = true;

	private boolean failed;

	/**
	 * Send one debt more.
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
	 * A debt was answered.
	 * @param charged whether it was charged
	 */
	synchronized void leave(boolean charged) {
		this.underWay--;
		this.failed |= !charged;
		next();
	}

	/** No more debts belong to this batch. */
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
