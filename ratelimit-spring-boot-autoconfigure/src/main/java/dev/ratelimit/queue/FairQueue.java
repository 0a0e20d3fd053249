package dev.ratelimit.queue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * Internal: a bounded queue of several flows that is fair by cost. The flow with the
 * least service is next, and within a flow the item that was added first. A new or
 * returning flow starts with the service of the flow that was served last, so a flow
 * cannot save service while it has no items. A flow is removed once it has no waiting
 * items. Not thread-safe.
 *
 * @param <T> the type of the items
 */
public final class FairQueue<T> {

	private final int capacity;

	private final Map<String, QueueEntry.Flow<T>> flows = new HashMap<>();

	/**
	 * The flows in the order of their service. Flows without items remain here until they
	 * are next.
	 */
	private final TreeSet<QueueEntry.Flow<T>> order = new TreeSet<>(
			Comparator.<QueueEntry.Flow<T>>comparingLong((flow) -> flow.service)
				.thenComparingLong((flow) -> flow.number));

	private final FlowLengths<QueueEntry.Flow<T>> lengths = new FlowLengths<>();

	private int size;

	private long numbers;

	/** The service of the flow served last. */
	private long servedLast;

	/**
	 * Create an empty queue.
	 * @param capacity the maximum number of waiting items, at least 0
	 */
	public FairQueue(int capacity) {
		this.capacity = capacity;
	}

	/**
	 * Return the number of items that wait.
	 * @return the number of items
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Whether no item waits.
	 * @return whether the queue is empty
	 */
	public boolean isEmpty() {
		return this.size == 0;
	}

	/**
	 * Whether an item that is added now must displace another one first.
	 * @return whether the queue is full
	 */
	public boolean isFull() {
		return this.size >= this.capacity;
	}

	/**
	 * Whether an item can be added now, possibly by displacing another one.
	 * @param flow the flow of the item
	 * @return whether the item can be added
	 */
	public boolean hasCapacity(String flow) {
		return !isFull() || displaceable(flow) != null;
	}

	/**
	 * Return the number of flows with waiting items.
	 * @return the number of flows
	 */
	int flows() {
		return this.flows.size();
	}

	/**
	 * Add an item behind the others of its flow.
	 * @param item the item
	 * @param flow its flow
	 * @param cost the cost of the item, at least 0
	 * @return its place
	 */
	public QueueEntry<T> add(T item, String flow, long cost) {
		QueueEntry.Flow<T> joined = joined(flow, this.servedLast, this.numbers);
		QueueEntry<T> entry = new QueueEntry<>(item, joined, cost, this.numbers++);
		joined.append(entry, joined.last);
		entered(entry);
		return entry;
	}

	private QueueEntry.Flow<T> joined(String name, long service, long number) {
		QueueEntry.Flow<T> existing = this.flows.get(name);
		if (existing != null) {
			return existing;
		}
		QueueEntry.Flow<T> flow = new QueueEntry.Flow<>(name, service, number);
		this.flows.put(name, flow);
		this.order.add(flow);
		return flow;
	}

	private void entered(QueueEntry<T> entry) {
		QueueEntry.Flow<T> flow = entry.flow;
		entry.waiting = true;
		flow.units += entry.cost;
		this.lengths.move(flow, flow.length, ++flow.length);
		this.size++;
	}

	/**
	 * Remove the newest item of the longest flow, to add a new item to a full queue.
	 * @param flow the flow of the new item
	 * @return the removed item; empty if no flow is longer than the flow of the new item
	 * would be, so that the new item cannot be added
	 */
	public Optional<T> displace(String flow) {
		QueueEntry<T> newest = displaceable(flow);
		if (newest == null) {
			return Optional.empty();
		}
		remove(newest);
		return Optional.of(newest.item);
	}

	private @Nullable QueueEntry<T> displaceable(String flow) {
		QueueEntry.Flow<T> own = this.flows.get(flow);
		int length = (own != null) ? own.length : 0;
		QueueEntry.Flow<T> longest = this.lengths.longest();
		return (longest != null && longest.length > length + 1) ? longest.last : null;
	}

	/**
	 * Remove an item, in a time that does not depend on the number of waiting items.
	 * @param entry its place
	 * @return whether it was waiting
	 */
	public boolean remove(QueueEntry<T> entry) {
		if (!entry.waiting) {
			return false;
		}
		leave(entry);
		if (this.order.size() > 2 * this.flows.size() + 16) {
			this.order.removeIf((flow) -> flow.length == 0);
		}
		return true;
	}

	private void leave(QueueEntry<T> entry) {
		QueueEntry.Flow<T> flow = entry.flow;
		entry.waiting = false;
		flow.unlink(entry);
		flow.units -= entry.cost;
		this.lengths.move(flow, flow.length, --flow.length);
		this.size--;
		if (flow.length == 0) {
			this.flows.remove(flow.name, flow);
		}
	}

	/**
	 * Return the next item, which remains in the queue.
	 * @return its place; empty if no item waits
	 */
	public Optional<QueueEntry<T>> peek() {
		for (QueueEntry.Flow<T> flow : this.order) {
			QueueEntry<T> first = flow.first;
			if (first != null) {
				return Optional.of(first);
			}
		}
		return Optional.empty();
	}

	/**
	 * Take the next item, which must then be {@linkplain #served served} or
	 * {@linkplain #putBack put back}.
	 * @return its place, if an item waits
	 */
	public Optional<QueueEntry<T>> take() {
		QueueEntry.Flow<T> next = this.order.pollFirst();
		while (next != null && next.length == 0) {
			next = this.order.pollFirst();
		}
		QueueEntry<T> first = (next != null) ? next.first : null;
		if (next == null || first == null) {
			return Optional.empty();
		}
		first.start = next.service;
		leave(first);
		next.service += first.cost;
		if (next.length > 0) {
			this.order.add(next);
		}
		return Optional.of(first);
	}

	/**
	 * Count an item that was taken as served.
	 * @param entry its place
	 */
	public void served(QueueEntry<T> entry) {
		this.servedLast = entry.start + entry.cost;
	}

	/**
	 * Return an item that was taken and not served to its former place in the queue. The
	 * queue may exceed its capacity by the number of items that were taken.
	 * @param entry its place
	 */
	public void putBack(QueueEntry<T> entry) {
		QueueEntry.Flow<T> flow = joined(entry.flow.name, entry.start, entry.number);
		this.order.remove(flow);
		flow.service = (flow == entry.flow) ? flow.service - entry.cost : Math.min(flow.service, entry.start);
		this.order.add(flow);
		entry.flow = flow;
		QueueEntry<T> before = null;
		for (QueueEntry<T> other = flow.first; other != null && other.number < entry.number; other = other.next) {
			before = other;
		}
		flow.append(entry, before);
		entered(entry);
	}

	/**
	 * Return the number of units that are served before an item that would be added now,
	 * if all waiting flows get equal shares: of each other flow no more than of its own.
	 * If all waiting units counted, an item of a light flow would seem to wait for all
	 * items of a heavy one.
	 * @param flow the item's flow
	 * @param cost its cost
	 * @return units
	 */
	public long unitsBefore(String flow, long cost) {
		QueueEntry.Flow<T> own = this.flows.get(flow);
		long share = ((own != null) ? own.units : 0) + cost;
		long sum = 0;
		for (QueueEntry.Flow<T> other : this.flows.values()) {
			sum += Math.min(other.units, share);
		}
		return sum;
	}

	/**
	 * Remove all items.
	 * @return the items, in the order in which they would have been taken
	 */
	public List<T> clear() {
		List<T> all = new ArrayList<>(this.size);
		for (Optional<QueueEntry<T>> next = take(); next.isPresent(); next = take()) {
			served(next.get());
			all.add(next.get().item);
		}
		return all;
	}

	/**
	 * Finds the longest flow, in a time that does not depend on the number of flows.
	 *
	 * @param <F> the type of the flows
	 */
	private static final class FlowLengths<F> {

		private final Map<Integer, Set<F>> byLength = new HashMap<>();

		private int most;

		/**
		 * Record that a flow has become longer or shorter by one.
		 * @param flow the flow
		 * @param from its length before
		 * @param to its length now
		 */
		void move(F flow, int from, int to) {
			Set<F> before = this.byLength.get(from);
			if (before != null && before.remove(flow) && before.isEmpty()) {
				this.byLength.remove(from);
			}
			if (to > 0) {
				this.byLength.computeIfAbsent(to, (length) -> new LinkedHashSet<>()).add(flow);
			}
			this.most = (to > this.most || (from == this.most && !this.byLength.containsKey(from))) ? to : this.most;
		}

		/**
		 * Return the longest flow.
		 * @return a flow of the maximum length; null if there are no flows
		 */
		@Nullable F longest() {
			Set<F> longest = this.byLength.get(this.most);
			return (longest != null) ? longest.iterator().next() : null;
		}

	}

}
