package dev.ratelimit.waiting;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Items that are due later, the earliest first. Not thread-safe.
 *
 * @param <T> the type of the items
 */
final class Alarms<T> {

	private final TreeSet<Alarm<T>> alarms = new TreeSet<>(Comparator.<Alarm<T>>naturalOrder());

	private long numbers;

	Alarm<T> at(long nanos, T item) {
		Alarm<T> alarm = new Alarm<>(nanos, this.numbers++, item);
		this.alarms.add(alarm);
		return alarm;
	}

	void cancel(Alarm<T> alarm) {
		this.alarms.remove(alarm);
	}

	OptionalLong next() {
		return (this.alarms.isEmpty()) ? OptionalLong.empty() : OptionalLong.of(this.alarms.first().nanos);
	}

	List<T> due(long nowNanos) {
		List<T> due = new ArrayList<>();
		while (!this.alarms.isEmpty() && this.alarms.first().nanos - nowNanos <= 0) {
			due.add(this.alarms.pollFirst().item);
		}
		return due;
	}

	/**
	 * An item that is due later.
	 *
	 * @param <T> the type of the item
	 * @param nanos the time at which it is due
	 * @param number the number that orders items with the same time
	 * @param item the item
	 */
	record Alarm<T>(long nanos, long number, T item) implements Comparable<Alarm<T>> {

		// Times may wrap around, so only their distance counts.
		@Override
		public int compareTo(Alarm<T> other) {
			long distance = this.nanos - other.nanos;
			return (distance != 0) ? Long.signum(distance) : Long.compare(this.number, other.number);
		}

	}

}
