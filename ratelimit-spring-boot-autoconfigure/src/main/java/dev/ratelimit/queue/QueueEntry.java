package dev.ratelimit.queue;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the place of an item in a {@link FairQueue}.
 *
 * @param <T> the type of the items
 */
public final class QueueEntry<T> {

	final T item;

	final long cost;

	final long number;

	Flow<T> flow;

	boolean waiting;

	long start;

	@Nullable QueueEntry<T> previous;

	@Nullable QueueEntry<T> next;

	QueueEntry(T item, Flow<T> flow, long cost, long number) {
		this.item = item;
		this.flow = flow;
		this.cost = cost;
		this.number = number;
	}

	/**
	 * Return the cost of the item.
	 * @return the cost
	 */
	public long cost() {
		return this.cost;
	}

	/**
	 * Return the item that waits here.
	 * @return the item
	 */
	public T item() {
		return this.item;
	}

	/**
	 * The waiting items of one flow, in the order in which they were added.
	 *
	 * @param <T> the type of the items
	 */
	static final class Flow<T> {

		final String name;

		final long number;

		long service;

		long units;

		int length;

		@Nullable QueueEntry<T> first;

		@Nullable QueueEntry<T> last;

		Flow(String name, long service, long number) {
			this.name = name;
			this.service = service;
			this.number = number;
		}

		void append(QueueEntry<T> entry, @Nullable QueueEntry<T> before) {
			QueueEntry<T> after = (before != null) ? before.next : this.first;
			entry.previous = before;
			entry.next = after;
			link(before, entry);
			if (after != null) {
				after.previous = entry;
			}
			else {
				this.last = entry;
			}
		}

		void unlink(QueueEntry<T> entry) {
			link(entry.previous, entry.next);
			if (entry.next != null) {
				entry.next.previous = entry.previous;
			}
			else {
				this.last = entry.previous;
			}
		}

		private void link(@Nullable QueueEntry<T> before, @Nullable QueueEntry<T> after) {
			if (before != null) {
				before.next = after;
			}
			else {
				this.first = after;
			}
		}

	}

}
