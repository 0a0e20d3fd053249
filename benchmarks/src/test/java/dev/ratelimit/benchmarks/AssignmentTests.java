package dev.ratelimit.benchmarks;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AssignmentTests {

	@Test
	void workerReadsWhatItIsToRun() {
		Assignment assignment = Assignment.many("ours").with("consistency", "leased").with("limits", "3");
		assertThat(Assignment.parse(assignment.toText())).isEqualTo(assignment);
		assertThat(Assignment.parse(Assignment.hot("ping").toText())).isEqualTo(Assignment.hot("ping"));
	}

	@Test
	void workerReadsItsLoad() {
		Load load = Load.threads(128, 1_000).filledFirst();
		assertThat(Load.parse(load.toText())).isEqualTo(load);
		assertThat(Load.parse(Load.loops(64, 1).toText())).isEqualTo(Load.loops(64, 1));
	}

}
