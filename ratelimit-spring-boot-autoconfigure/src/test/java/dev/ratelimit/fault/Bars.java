package dev.ratelimit.fault;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that apply to each scenario.
 */
final class Bars {

	/**
	 * The maximum number of units that are refilled from the first request of the last
	 * clients until the end of their further requests.
	 */
	private static final int REFILLED = 3;

	private Bars() {
	}

	static void check(ScenarioRow row) {
		assertThat(row.unexpected())
			.as("unexpected: flood %s, honest %s, logins %s", row.flood(), row.honest(), row.logins())
			.isZero();
		assertThat((long) row.flood().allowed()).as("admitted: %s", row.flood()).isLessThanOrEqualTo(row.most());
		assertThat(row.honest().rejected()).as("refused: %s", row.honest()).isZero();
	}

	/**
	 * Check that Redis has charged all allowed requests, including those that an instance
	 * counted first. Call this method after the crowd has ended.
	 */
	static void checkAllIsCharged(Crowd crowd) {
		assertThat(crowd.allowedAgain()).as("admitted again, of a limit of %d", Crowd.LIMIT)
			.isNotEmpty()
			.allMatch((allowed) -> allowed <= Crowd.LIMIT - HonestClients.REQUESTS_EACH + REFILLED);
	}

}
