package dev.ratelimit.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * What is to be done later, earliest first. Not thread-safe.
 */
final class Alarms {

	private final TreeSet<Alarm> alarms = new TreeSet<>(Comparator.<Alarm>naturalOrder());

	private long numbers;

	Alarm at(long nanos, Runnable task) {
		Alarm alarm = new Alarm(nanos, this.numbers++, task);
		this.alarms.add(alarm);
		return alarm;
	}

	void cancel(Alarm alarm) {
		this.alarms.remove(alarm);
	}

	OptionalLong next() {
		return (this.alarms.isEmpty()) ? OptionalLong.empty() : OptionalLong.of(this.alarms.first().nanos);
	}

	List<Runnable> due(long nowNanos) {
		List<Runnable> due = new ArrayList<>();
		while (!this.alarms.isEmpty() && this.alarms.first().nanos - nowNanos <= 0) {
			due.add(this.alarms.pollFirst().task);
		}
		return due;
	}

	/**
	 * Something to do later.
	 *
	 * @param nanos when
	 * @param number its number
	 * @param task what to do
	 */
	record Alarm(long nanos, long number, Runnable task) implements Comparable<Alarm> {

		// Times may wrap around, so only their distance counts.
		@Override
		public int compareTo(Alarm other) {
			long distance = this.nanos - other.nanos;
			return (distance != 0) ? Long.signum(distance) : Long.compare(this.number, other.number);
		}

	}

}
