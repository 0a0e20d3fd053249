package dev.ratelimit.benchmarks.report;

import java.util.Locale;

/**
 * What is measured, in the order of a table's columns.
 */
public enum Metric {

	/** Decisions completed in the window. */
	DECISIONS("decisions/s", 0),

	/** Requests completed in the window. */
	REQUESTS("requests/s", 0),

	/** From the start of the process to the first response. */
	STARTUP("start to first response, s", 2),

	/** Growth of Redis's memory in use. */
	REDIS_BYTES("bytes in Redis per subject", 0),

	/** Growth of the heap in use after a collection. */
	HEAP_BYTES("bytes of heap per bucket", 0),

	/** Keys that Redis holds for one subject. */
	REDIS_KEYS("keys per subject", 2),

	/** What Redis says of one key. */
	KEY_BYTES("`MEMORY USAGE` of a key", 0),

	/**
	 * Time of a closed loop: it starts with the decision, so it has no queueing in it.
	 */
	P50("service time p50 ms", 3),

	/** As the median. */
	P99("service time p99 ms", 3),

	/** A number that its row explains. */
	FIGURE("figure", 2),

	/** Commands that the client itself sent. */
	CALLS("calls of Redis per decision", 2),

	/** All commands that Redis ran, those in scripts included. */
	COMMANDS("Redis commands per decision", 2),

	/** CPU time of the whole process that decides. */
	CLIENT_MICROS("client CPU us", 2),

	/** CPU time of Redis. */
	REDIS_MICROS("Redis CPU us", 2),

	/** Bytes that all threads of the process that decides allocated. */
	CLIENT_BYTES("client bytes", 0);

	private final String label;

	private final int decimals;

	Metric(String label, int decimals) {
		this.label = label;
		this.decimals = decimals;
	}

	/**
	 * The column's title.
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Write a value as the column does.
	 */
	public String format(double value) {
		return String.format(Locale.ROOT, "%,." + this.decimals + "f", value);
	}

}
