package dev.ratelimit.store.hold;

import java.time.Duration;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulates fifty instances with pauses, crashes, lost calls, and a Redis that is
 * unavailable or loses all data. Runs the production code that holds and calculates slots
 * with a manual clock. Each allowed request must be within the limit plus the slots that
 * are unknown to Redis.
 */
class HeldSlotsSimulationTests {

	private static final Duration STEP = Duration.ofMillis(200);

	/** A renewal is due after a third of the lease and happens in the next round. */
	private static final Duration RENEWED = SimulatedInstances.LEASE.dividedBy(3).plusSeconds(1).plus(STEP);

	private static final Duration FREE = SimulatedInstances.LEASE.plusSeconds(1);

	@Property(tries = 10)
	void onlyWhatRedisCannotKnowIsAllowedAboveTheLimitAndTheCountHeals(@ForAll long seed) {
		SimulatedInstances fleet = new SimulatedInstances(seed);
		fleet.run(SimulatedInstances.LEASE.multipliedBy(5), SimulatedInstances.Faults.ALL);
		assertThat(fleet.decided()).doesNotContain(0);
		fleet.calm();
		fleet.run(RENEWED, SimulatedInstances.Faults.NONE);
		fleet.assertAllIsKnown();
		fleet.run(FREE.minus(RENEWED), SimulatedInstances.Faults.NONE);
		for (int i = 0; i < 20; i++) {
			fleet.run(STEP, SimulatedInstances.Faults.NONE);
			fleet.assertCountIsTrue();
		}
	}

	@Property(tries = 10)
	void crashesLetNothingInAboveTheLimitAndFreeTheirSlotsAfterTheLease(@ForAll long seed) {
		SimulatedInstances fleet = new SimulatedInstances(seed);
		for (int i = 0; i < 60; i++) {
			fleet.run(STEP, SimulatedInstances.Faults.CRASHES);
			fleet.assertNothingIsAboveTheLimit();
			fleet.assertAllIsKnown();
		}
		fleet.crash(25);
		fleet.run(FREE, SimulatedInstances.Faults.NONE);
		fleet.assertCountIsTrue();
	}

}
