package dev.ratelimit.fault;

import java.util.Locale;

import dev.ratelimit.fault.ChildProcess.Strain;
import dev.ratelimit.fault.FaultTable.TableRow;

/**
 * The measurements of one scenario.
 *
 * @param scenario the name of the scenario
 * @param server the server
 * @param flood the responses to the flood
 * @param honest the responses to clients that kept to their limit
 * @param logins the responses to logins, under a rule with {@code failure: closed}
 * @param most the maximum number of requests of the flood that the limits allow
 * @param strain the load on the application
 */
record ScenarioRow(String scenario, Server server, Tally flood, Tally honest, Tally logins, long most,
		Strain strain) implements TableRow {

	private static final String HEAD = """
			| Scenario | Server | Flood | Allowed | At most | Unexpected 5xx | Honest counted | p50 (ms) | p99 (ms) \
			| Logins counted | Breaker opened |
			| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |""";

	/**
	 * Return the number of 5xx responses and of requests without a response, except the
	 * 503 responses of a rule that fails closed.
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
