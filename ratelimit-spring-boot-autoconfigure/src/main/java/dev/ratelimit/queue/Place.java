package dev.ratelimit.queue;

import org.jspecify.annotations.Nullable;

/**
 * Internal: the place of an item in a {@link FairQueue}.
 *
 * @param <T> what waits
 */
public final class Place<T> {

	final T item;

	final long cost;

	final long number;

	Flow<T> flow;

	boolean waiting;

	long start;

	@Nullable Place<T> previous;

	@Nullable Place<T> next;

	Place(T item, Flow<T> flow, long cost, long number) {
		this.item = item;
		this.flow = flow;
		this.cost = cost;
		this.number = number;
	}

	/**
	 * What waits here.
	 * @return the item
	 */
	public T item() {
		return this.item;
	}

	/**
	 * The items of one flow that wait, the first that came in front.
	 *
	 * @param <T> what waits
	 */
	static final class Flow<T> {

		final String name;

		final long number;

		long service;

		long units;

		int length;

		@Nullable Place<T> first;

		@Nullable Place<T> last;

		Flow(String name, long service, long number) {
			this.name = name;
			this.service = service;
			this.number = number;
		}

		void append(Place<T> place, @Nullable Place<T> before) {
			Place<T> after = (before != null) ? before.next : this.first;
			place.previous = before;
			place.next = after;
			link(before, place);
			if (after != null) {
				after.previous = place;
			}
			else {
				this.last = place;
			}
		}

		void unlink(Place<T> place) {
			link(place.previous, place.next);
			if (place.next != null) {
				place.next.previous = place.previous;
			}
			else {
				this.last = place.previous;
			}
		}

		private void link(@Nullable Place<T> before, @Nullable Place<T> after) {
			if (before != null) {
				before.next = after;
			}
			else {
				this.first = after;
			}
		}

	}

}
