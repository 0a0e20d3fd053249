package dev.ratelimit.benchmarks.report;

import java.util.Locale;

/**
 * A measured quantity, in the order of the columns of a table.
 */
public enum Metric {

	/** Decisions completed in the window. */
	DECISIONS("decisions/s", 0),

	/** Requests completed in the window. */
	REQUESTS("requests/s", 0),

	/** Time from the start of the process to the first response. */
	STARTUP("start to first response, s", 2),

	/** Growth of the memory that Redis uses. */
	REDIS_BYTES("bytes in Redis per subject", 0),

	/** Growth of the heap in use, after a garbage collection. */
	HEAP_BYTES("bytes of heap per bucket", 0),

	/** Keys that Redis holds for one subject. */
	REDIS_KEYS("keys per subject", 2),

	/** Size of one key, as Redis reports it. */
	KEY_BYTES("`MEMORY USAGE` of a key", 0),

	/**
	 * Median of the time of a closed loop. The time starts with the decision, so that it
	 * contains no time in a queue.
	 */
	P50("service time p50 ms", 3),

	/** 99th percentile of the time of a closed loop. */
	P99("service time p99 ms", 3),

	/** A number that the name of its row explains. */
	FIGURE("figure", 2),

	/** Commands that the client itself sent. */
	CALLS("calls of Redis per decision", 2),

	/** All commands that Redis ran, including those in scripts. */
	COMMANDS("Redis commands per decision", 2),

	/** CPU time of the whole process that makes the decisions. */
	CLIENT_MICROS("client CPU us", 2),

	/** CPU time of Redis. */
	REDIS_MICROS("Redis CPU us", 2),

	/** Bytes that all threads allocated, in the process that makes the decisions. */
	CLIENT_BYTES("client bytes", 0);

	private final String label;

	private final int decimals;

	Metric(String label, int decimals) {
		this.label = label;
		this.decimals = decimals;
	}

	/**
	 * Return the title of the column.
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Return a value in the format of the column.
	 */
	public String format(double value) {
		return String.format(Locale.ROOT, "%,." + this.decimals + "f", value);
	}

}
