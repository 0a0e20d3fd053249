package dev.ratelimit.autoconfigure;

import java.util.function.Consumer;

import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.RuleLayers;

/**
 * Makes the rules of the application itself active, for as long as it runs.
 *
 * @param properties the properties
 * @param editions the editions of the rules
 * @param warnings where warnings go
 */
record PlainStart(RateLimitProperties properties, Editions editions, Consumer<String> warnings) implements RuleStart {

	@Override
	public void begin(RuleLayers layers) {
		LiveStart.requireSource(this.properties, false);
		this.editions.adopt(layers.rules(this.warnings));
	}

}
