package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.LimitSetDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: the limits of one plan: text such as 100/min, or an object.
 *
 * @param limit Limit, such as 100/min, 20/min burst 30, 1000/day Europe/Paris, 20
 * concurrent, 0/min, or unlimited.
 * @param limits Several limits, which all apply.
 * @param burst Capacity: the number of units that are available at once. By default, the
 * quantity of the limit.
 * @param algorithm Algorithm of the limits. By default, that of the rule.
 * @param zone Time zone of calendar hours, days, weeks, and months. Sets the algorithm
 * fixed-window.
 * @param credit Only with the algorithm token-bucket: how far one request may overdraw a
 * bucket that still has units. The debt is refilled first.
 * @param lease Only with the algorithm concurrency: how long slots remain occupied if
 * their instance does not renew them. By default, 1 minute.
 * @param store Name of the store that counts: default, local, or one below
 * ratelimit.stores. By default, that of the rule.
 */
public record PlanProperties(@Nullable String limit, @DefaultValue List<LimitProperties> limits, @Nullable Long burst,
		@Nullable String algorithm, @Nullable String zone, @Nullable Long credit, @Nullable Duration lease,
		@Nullable String store) {

	/**
	 * Return numbers that are written as text.
	 * @param text the text form of the only limit
	 * @return the numbers
	 */
	public static PlanProperties of(String text) {
		return new PlanProperties(text, List.of(), null, null, null, null, null, null);
	}

	LimitSetDefinition definition(String location) {
		return new LimitNumbers(this.limit, this.burst, this.algorithm, this.zone, this.credit, this.lease)
			.set(location, LimitProperties.definitions(location, this.limits), this.store);
	}

}
