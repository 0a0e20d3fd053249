package dev.ratelimit.engine;

import java.util.List;

import dev.ratelimit.rule.Quota;
import dev.ratelimit.store.BucketFamily;

/**
 * The numbers of a rule, or of one of its plans, made ready for decisions. Immutable.
 *
 * @param kind whether there are limits at all
 * @param families the buckets of each limit
 * @since 0.1.0
 */
public record Tier(Quota.Kind kind, List<BucketFamily> families) {

	/**
	 * The largest cost that each limit can hold.
	 * @return the least capacity, or the greatest number if there is no limit
	 */
	public long capacity() {
		return this.families.stream()
			.mapToLong((family) -> family.arithmetic().capacity())
			.min()
			.orElse(Long.MAX_VALUE);
	}

}
