package dev.ratelimit.store;

import java.util.function.IntConsumer;

/**
 * Internal: how many decisions and corrections each call to a store makes. Thread-safe.
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
