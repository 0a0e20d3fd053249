package dev.ratelimit.fault;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The rows of all classes that have run in this JVM.
 */
final class FaultTable {

	private static final Map<String, Queue<TableRow>> ROWS = new ConcurrentSkipListMap<>();

	private FaultTable() {
	}

	static void add(TableRow row) {
		ROWS.computeIfAbsent(row.head(), (head) -> new ConcurrentLinkedQueue<>()).add(row);
	}

	static void print() {
		ROWS.forEach((head, rows) -> {
			System.out.println("\n" + head);
			rows.forEach(System.out::println);
		});
	}

	/**
	 * A row, which says what stands above its numbers.
	 */
	interface TableRow {

		String head();

	}

}
