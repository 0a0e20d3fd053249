package dev.ratelimit.gate;

import java.lang.management.ManagementFactory;
import java.util.List;

import com.sun.management.ThreadMXBean;
import dev.ratelimit.Decision;
import dev.ratelimit.engine.SanctionKeeper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CompletionTests {

	@Test
	void aRequestThatNoRuleBansForAllocatesNothing() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		count(1000);
		long before = threads.getCurrentThreadAllocatedBytes();
		long nothing = threads.getCurrentThreadAllocatedBytes() - before;
		before = threads.getCurrentThreadAllocatedBytes();
		count(1000);
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isEqualTo(nothing);
	}

	private static void count(int times) {
		for (int i = 0; i < times; i++) {
			Completion left = Completion.counting(Decision.UNMATCHED, List.of(), SanctionKeeper.NONE);
			if (left != Completion.NONE) {
				throw new AssertionError(left);
			}
		}
	}

}
