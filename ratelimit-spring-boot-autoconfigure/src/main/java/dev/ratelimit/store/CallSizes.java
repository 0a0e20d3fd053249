package dev.ratelimit.store;

import java.util.function.IntConsumer;

/**
 * Internal: the numbers of decisions and corrections in each call to a store.
 * Thread-safe.
 */
public final class CallSizes implements IntConsumer {

	private volatile IntConsumer observer = (size) -> {
	};

	@Override
	public void accept(int size) {
		this.observer.accept(size);
	}

	/**
	 * Observe the calls that are made from now on.
	 * @param added receives the size of each call
	 */
	public synchronized void observe(IntConsumer added) {
		this.observer = this.observer.andThen(added);
	}

}
