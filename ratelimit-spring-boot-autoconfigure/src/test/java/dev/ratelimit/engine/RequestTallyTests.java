package dev.ratelimit.engine;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RequestTallyTests {

	private final RequestTally tally = new RequestTally();

	@Test
	void rejectedRequestsAreCountedByStatus() {
		for (int status : new int[] { 429, 503, 429 }) {
			this.tally.limited();
			this.tally.rejected(status);
		}
		this.tally.limited();
		assertThat(this.tally.allowed()).isEqualTo(1);
		assertThat(this.tally.rejected()).containsExactly(Map.entry(429, 2L), Map.entry(503, 1L));
	}

	@Test
	void aRequestThatALaterPhaseRejectsDoesNotDecreaseTheCount() {
		this.tally.limited();
		this.tally.limited();
		assertThat(this.tally.allowed()).isEqualTo(2);
		this.tally.rejected(429);
		assertThat(this.tally.allowed()).isEqualTo(2);
		this.tally.limited();
		assertThat(this.tally.allowed()).isEqualTo(2);
		this.tally.limited();
		assertThat(this.tally.allowed()).isEqualTo(3);
	}

}
