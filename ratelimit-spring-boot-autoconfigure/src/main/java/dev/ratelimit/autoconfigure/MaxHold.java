package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;

/**
 * How long slots of a rule are held at the latest, by the active rules.
 *
 * @param editions the rules
 */
record MaxHold(Supplier<Editions> editions) implements ToLongFunction<String> {

	/** Of rules that are not there any more. */
	private static final Duration OF_NO_RULE = Duration.ofHours(24);

	@Override
	public long applyAsLong(String id) {
		Rule rule = this.editions.get().current().rules().rules().get(id);
		return ((rule != null) ? rule.reaction().holding().longest() : OF_NO_RULE).toMillis();
	}

}
