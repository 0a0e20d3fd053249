package dev.ratelimit.store.hold;

import java.time.Duration;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Simulates fifty instances with pauses, crashes, lost calls, and a Redis that is
 * unavailable or loses all data. Runs the stage that holds slots and the calculation of
 * slots, with a manual clock. Each allowed request must be within the limit plus the
 * slots that Redis cannot know of.
 */
class HeldFleetSimulationTests {

	private static final Duration STEP = Duration.ofMillis(200);

	/** A renewal is due after a third of the lease, and made in the next round. */
	private static final Duration RENEWED = SimulatedFleet.LEASE.dividedBy(3).plusSeconds(1).plus(STEP);

	private static final Duration FREE = SimulatedFleet.LEASE.plusSeconds(1);

	@Property(tries = 10)
	void onlyWhatRedisCannotKnowIsAllowedAboveTheLimitAndTheCountHeals(@ForAll long seed) {
		SimulatedFleet fleet = new SimulatedFleet(seed);
		fleet.run(SimulatedFleet.LEASE.multipliedBy(5), SimulatedFleet.Faults.ALL);
		assertThat(fleet.decided()).doesNotContain(0);
		fleet.calm();
		fleet.run(RENEWED, SimulatedFleet.Faults.NONE);
		fleet.assertAllIsKnown();
		fleet.run(FREE.minus(RENEWED), SimulatedFleet.Faults.NONE);
		for (int i = 0; i < 20; i++) {
			fleet.run(STEP, SimulatedFleet.Faults.NONE);
			fleet.assertCountIsTrue();
		}
	}

	@Property(tries = 10)
	void crashesLetNothingInAboveTheLimitAndFreeTheirSlotsAfterTheLease(@ForAll long seed) {
		SimulatedFleet fleet = new SimulatedFleet(seed);
		for (int i = 0; i < 60; i++) {
			fleet.run(STEP, SimulatedFleet.Faults.CRASHES);
			fleet.assertNothingIsAboveTheLimit();
			fleet.assertAllIsKnown();
		}
		fleet.crash(25);
		fleet.run(FREE, SimulatedFleet.Faults.NONE);
		fleet.assertCountIsTrue();
	}

}
