package dev.ratelimit.fault;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds in each scenario, however bad it is.
 */
final class Bars {

	private Bars() {
	}

	static void check(ScenarioRow row) {
		assertThat(row.unexpected())
			.as("unexpected: flood %s, honest %s, logins %s", row.flood(), row.honest(), row.logins())
			.isZero();
		assertThat((long) row.flood().admitted()).as("admitted: %s", row.flood()).isLessThanOrEqualTo(row.most());
		assertThat(row.honest().refused()).as("refused: %s", row.honest()).isZero();
	}

}
