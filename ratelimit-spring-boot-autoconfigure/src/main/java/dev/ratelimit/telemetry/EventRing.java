package dev.ratelimit.telemetry;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * A bounded queue. Any thread may add, and none of them ever waits; one thread takes.
 *
 * @param <E> the elements
 */
final class EventRing<E> {

	private final AtomicReferenceArray<@Nullable E> slots;

	private final AtomicLong added = new AtomicLong();

	private final AtomicLong taken = new AtomicLong();

	EventRing(int capacity) {
		this.slots = new AtomicReferenceArray<>(capacity);
	}

	/**
	 * Add an element.
	 * @param element the element
	 * @return how many there are now, or 0 if there is no room
	 */
	int offer(E element) {
		while (true) {
			long next = this.added.get();
			long size = next - this.taken.get();
			if (size >= this.slots.length()) {
				return 0;
			}
			if (this.added.compareAndSet(next, next + 1)) {
				this.slots.set(slot(next), element);
				return (int) size + 1;
			}
		}
	}

	/**
	 * Take the next element.
	 * @return the element, or null if it is not there yet
	 */
	@Nullable E poll() {
		long next = this.taken.get();
		E element = this.slots.get(slot(next));
		if (element != null) {
			this.slots.set(slot(next), null);
			this.taken.set(next + 1);
		}
		return element;
	}

	int size() {
		return (int) (this.added.get() - this.taken.get());
	}

	private int slot(long number) {
		return (int) (number % this.slots.length());
	}

}
