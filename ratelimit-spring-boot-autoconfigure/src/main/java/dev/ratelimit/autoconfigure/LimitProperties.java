package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.LimitDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Internal: one of several limits: text such as 100/min, or an object.
 *
 * @param limit Limit, such as 100/min, 20/min burst 30, 1000/day Europe/Paris, or 20
 * concurrent.
 * @param burst Capacity: the number of units that are available at once. By default, the
 * quantity of the limit.
 * @param algorithm Algorithm of the limit.
 * @param zone Time zone of calendar hours, days, weeks, and months. Sets the algorithm
 * fixed-window.
 * @param credit Only with the algorithm token-bucket: how far one request may overdraw a
 * bucket that still has units. The debt is refilled first.
 * @param lease Only with the algorithm concurrency: how long slots remain occupied if
 * their instance does not renew them. By default, 1 minute.
 */
public record LimitProperties(@Nullable String limit, @Nullable Long burst, @Nullable String algorithm,
		@Nullable String zone, @Nullable Long credit, @Nullable Duration lease) {

	/**
	 * Return a limit that is written as text.
	 * @param text the text form, such as {@code 100/min}
	 * @return the limit
	 */
	public static LimitProperties of(String text) {
		return new LimitProperties(text, null, null, null, null, null);
	}

	LimitDefinition definition(String location) {
		if (this.limit == null) {
			throw new InvalidRuleException(location + ".limit", "", "the limit is missing", "Set it, such as 100/min.");
		}
		return new LimitNumbers(this.limit, this.burst, this.algorithm, this.zone, this.credit, this.lease)
			.one(location, this.limit);
	}

	static List<LimitDefinition> definitions(String location, List<LimitProperties> limits) {
		return IntStream.range(0, limits.size())
			.mapToObj((i) -> limits.get(i).definition(location + ".limits[" + i + "]"))
			.toList();
	}

}
