package dev.ratelimit.fault;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Collects the rows of all test classes of this JVM.
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
	 * A row that provides the header of its table.
	 */
	interface TableRow {

		String head();

	}

}
