package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitDefinition;
import dev.ratelimit.rule.LimitOptions;
import dev.ratelimit.rule.LimitSetDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that rules, plans, and limits have in common, as bound from properties.
 *
 * @param limit the text form of a limit
 * @param burst the capacity
 * @param algorithm the algorithm
 * @param zone the time zone of calendar windows
 * @param credit the units beyond the burst
 * @param lease the time after which a slot is freed if its instance does not renew it
 */
record LimitNumbers(@Nullable String limit, @Nullable Long burst, @Nullable String algorithm, @Nullable String zone,
		@Nullable Long credit, @Nullable Duration lease) {

	LimitDefinition one(String location, String text) {
		return LimitDefinition.of(text)
			.with(location, number(this.burst), Optional.ofNullable(this.algorithm), options());
	}

	/**
	 * Return all limits of a rule or a plan.
	 * @param location the location of the limits, for messages
	 * @param several the limits that are written as a list
	 * @param store the name of the store that counts
	 * @return the limits
	 */
	LimitSetDefinition set(String location, List<LimitDefinition> several, @Nullable String store) {
		return set(location, several).in(Optional.ofNullable(store));
	}

	private LimitSetDefinition set(String location, List<LimitDefinition> several) {
		OptionalLong capacity = number(this.burst);
		Optional<String> named = Optional.ofNullable(this.algorithm);
		if (this.limit != null && several.isEmpty()) {
			return LimitSetDefinition.of(location, this.limit, capacity, named, options());
		}
		if (this.limit != null) {
			throw new InvalidRuleException(location + ".limits",
					several.stream().map(LimitDefinition::limit).toList().toString(),
					"'limit' and 'limits' are both set", "Keep one of them.");
		}
		return new LimitSetDefinition(several, capacity, named.or(options()::calendar), options());
	}

	private LimitOptions options() {
		return new LimitOptions(Optional.ofNullable(this.zone), number(this.credit), Optional.ofNullable(this.lease));
	}

	private static OptionalLong number(@Nullable Long value) {
		return (value != null) ? OptionalLong.of(value) : OptionalLong.empty();
	}

}
