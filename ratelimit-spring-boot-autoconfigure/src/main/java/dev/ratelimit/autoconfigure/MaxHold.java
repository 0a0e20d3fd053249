package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;

/**
 * Finds the maximum time for which slots of a rule are held, in the active rules.
 *
 * @param editions the rules
 */
record MaxHold(Supplier<Editions> editions) implements ToLongFunction<String> {

	/** The maximum time for rules that were removed. */
	private static final Duration REMOVED_RULE = Duration.ofHours(24);

	@Override
	public long applyAsLong(String id) {
		Map<String, Rule> rules = this.editions.get().current().rules().rules();
		Rule rule = rules.get(id);
		if (rule == null) {
			return REMOVED_RULE.toMillis();
		}
		// If rules share a bucket, a slot can have the id of any of these rules.
		return rule.numbers()
			.bucket()
			.map((bucket) -> rules.values()
				.stream()
				.filter((other) -> other.numbers().bucket().filter(bucket::equals).isPresent())
				.mapToLong(MaxHold::millis)
				.max()
				.orElseThrow())
			.orElseGet(() -> millis(rule));
	}

	private static long millis(Rule rule) {
		return rule.reaction().holding().maxHold().toMillis();
	}

}
