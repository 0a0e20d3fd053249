package dev.ratelimit.load;

import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;

/**
 * Reports settings of the load guard that were reduced, because the server has too few
 * threads.
 *
 * @param threads the number of threads of the server
 * @param cuts the reductions, such as {@code max: 1000 to 100}
 */
record LoadThreadsCheck(int threads, List<String> cuts) implements Check {

	LoadThreadsCheck {
		cuts = List.copyOf(cuts);
	}

	@Override
	public List<Finding> findings() {
		return (this.cuts.isEmpty()) ? List.of()
				: List.of(new Finding(FindingCode.LOAD_THREADS, "ratelimit.load", "The server has " + this.threads
						+ " threads, so these numbers are lower than written: " + this.cuts + "."));
	}

}
