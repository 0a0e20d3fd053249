package dev.ratelimit.fault;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The rows of all classes that have run in this JVM.
 */
final class FaultTable {

	private static final Queue<FaultRow> ROWS = new ConcurrentLinkedQueue<>();

	private FaultTable() {
	}

	static void add(FaultRow row) {
		ROWS.add(row);
	}

	static void print() {
		System.out.println(FaultRow.HEAD);
		ROWS.forEach(System.out::println);
	}

}
