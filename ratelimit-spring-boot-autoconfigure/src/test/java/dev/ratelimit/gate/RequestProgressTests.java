package dev.ratelimit.gate;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the remaining work after a request has become a connection.
 */
class RequestProgressTests {

	private final List<Integer> freed = new ArrayList<>();

	private final RequestProgress progress = RequestProgress.START.ending(this.freed::add);

	// The steps behind a filter may be canceled and repeated.
	@Test
	void onlySlotsThatWereTakenSinceAreFreed() {
		List<String> freed = new ArrayList<>();
		RequestProgress before = RequestProgress.START.ending((status) -> freed.add("before"));
		before.ending((status) -> freed.add("since")).freeSince(before);
		assertThat(freed).containsExactly("since");
	}

	@Test
	void slotsWithoutConnectionAreFreedWithTheRequest() {
		assertThat(this.progress.endings().holdsConnections()).isFalse();
		this.progress.endings().freeRequest(101);
		assertThat(this.freed).containsExactly(101);
	}

	@Test
	void theEndOfAConnectionFreesNothingElse() {
		this.progress.endings().handOver().run();
		assertThat(this.freed).isEmpty();
	}

}
