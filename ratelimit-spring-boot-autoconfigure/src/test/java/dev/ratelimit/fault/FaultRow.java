package dev.ratelimit.fault;

import java.util.Locale;

import dev.ratelimit.fault.FaultTable.TableRow;

/**
 * What was measured of one fault.
 *
 * @param fault its name, with the stack or topology
 * @param requests how many requests there were, before, during and after
 * @param unexpected how many of them got a 5xx that no rule sends, or no response
 * @param overAdmitted how many more were allowed than limits permit
 * @param addedP99Millis how much longer the p99 was while the fault lasted
 * @param recoveryMillis from the end of the fault until Redis counted all again
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
