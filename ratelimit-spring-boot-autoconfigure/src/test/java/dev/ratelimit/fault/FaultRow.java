package dev.ratelimit.fault;

import java.util.Locale;

import dev.ratelimit.fault.FaultTable.TableRow;

/**
 * The measurements of one fault.
 *
 * @param fault the name of the fault, with the stack or topology
 * @param requests the number of requests before, during, and after the fault
 * @param unexpected the number of requests with a 5xx status that no rule sends, or
 * without a response
 * @param overAllowed the number of requests that were allowed beyond the limits
 * @param addedP99Millis the increase of the p99 during the fault in milliseconds
 * @param recoveryMillis the time from the end of the fault until Redis counted all
 * requests again
 */
record FaultRow(String fault, int requests, int unexpected, long overAllowed, double addedP99Millis,
		long recoveryMillis) implements TableRow {

	private static final String HEAD = """
			| Fault | Requests | Unexpected 5xx | Over limit | Added p99 (ms) | Recovery (ms) |
			| --- | ---: | ---: | ---: | ---: | ---: |""";

	@Override
	public String head() {
		return HEAD;
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "| %s | %d | %d | %d | %.1f | %d |", this.fault, this.requests,
				this.unexpected, this.overAllowed, this.addedP99Millis, this.recoveryMillis);
	}

}
