package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.LimitOptions;
import dev.ratelimit.rule.LimitSetDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a rule, a plan, and one of several limits have alike, as properties
 * bind them.
 *
 * @param limit the text form of a limit
 * @param burst the capacity
 * @param algorithm the algorithm
 * @param zone the time zone of calendar windows
 * @param credit the units beyond the burst
 * @param lease how long a request occupies a slot at most
 */
record LimitNumbers(@Nullable String limit, @Nullable Long burst, @Nullable String algorithm, @Nullable String zone,
		@Nullable Long credit, @Nullable Duration lease) {

	LimitDefinition one(String text) {
		return new LimitDefinition(text, number(this.burst), Optional.ofNullable(this.algorithm), options());
	}

	/**
	 * All limits of a rule or a plan.
	 * @param several the limits that are written one by one
	 * @return the limits
	 */
	LimitSetDefinition set(List<LimitDefinition> several) {
		List<LimitDefinition> all = new ArrayList<>();
		if (this.limit != null) {
			all.add(LimitDefinition.of(this.limit));
		}
		all.addAll(several);
		return new LimitSetDefinition(all, number(this.burst), Optional.ofNullable(this.algorithm), options());
	}

	private LimitOptions options() {
		return new LimitOptions(Optional.ofNullable(this.zone), number(this.credit), Optional.ofNullable(this.lease));
	}

	private static OptionalLong number(@Nullable Long value) {
		return (value != null) ? OptionalLong.of(value) : OptionalLong.empty();
	}

}
