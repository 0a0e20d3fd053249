package dev.ratelimit.fault;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds in each scenario, however bad it is.
 */
final class Bars {

	/** From the first request of the last clients on, while they send their next ones. */
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
	 * Redis has counted all that was allowed, whatever counted it at first. To be called
	 * once the crowd has ended.
	 */
	static void checkAllIsCharged(Crowd crowd) {
		assertThat(crowd.allowedAgain()).as("admitted again, of a limit of %d", Crowd.LIMIT)
			.isNotEmpty()
			.allMatch((allowed) -> allowed <= Crowd.LIMIT - HonestClients.REQUESTS_EACH + REFILLED);
	}

}
