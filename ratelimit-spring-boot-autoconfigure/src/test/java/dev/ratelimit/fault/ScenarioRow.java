package dev.ratelimit.fault;

import java.util.Locale;

import dev.ratelimit.fault.ChildProcess.Strain;
import dev.ratelimit.fault.FaultTable.TableRow;

/**
 * What was measured of one scenario.
 *
 * @param scenario its name
 * @param server what it ran on
 * @param flood what the flood was answered
 * @param honest the responses to clients that kept to their limit
 * @param logins the same, under a rule with {@code failure: closed}
 * @param most how many of the flood the limits allow at most
 * @param strain what the application went through
 */
record ScenarioRow(String scenario, Server server, Tally flood, Tally honest, Tally logins, long most,
		Strain strain) implements TableRow {

	private static final String HEAD = """
			| Scenario | Server | Flood | Allowed | At most | Unexpected 5xx | Honest counted | p50 (ms) | p99 (ms) \
			| Logins counted | Breaker opened |
			| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |""";

	/**
	 * Every 5xx and every request without an answer, but the 503 of a closed rule.
	 */
	int unexpected() {
		return this.flood.failed() + this.honest.failed() + this.logins.failed() - this.logins.unavailable();
	}

	@Override
	public String head() {
		return HEAD;
	}

	@Override
	public String toString() {
		return String.format(Locale.ROOT, "| %s | %s | %d | %d | %d | %d | %.1f %% | %.0f | %.0f | %.1f %% | %d |",
				this.scenario, this.server, this.flood.requests(), this.flood.allowed(), this.most, unexpected(),
				this.honest.countedPercent(), this.honest.waitMillis(0.5), this.honest.waitMillis(0.99),
				this.logins.countedPercent(), this.strain.outages());
	}

}
