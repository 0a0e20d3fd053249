package dev.ratelimit.autoconfigure;

import java.util.function.Consumer;

import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.RuleLayers;

import org.springframework.core.env.Environment;

/**
 * Internal: makes the rules of the application itself active, for as long as it runs.
 *
 * @param environment the properties
 * @param editions the editions of the rules
 * @param warnings where warnings go
 */
public record PlainStart(Environment environment, Editions editions, Consumer<String> warnings) implements RuleStart {

	@Override
	public void begin(RuleLayers layers) {
		requireSource(this.environment, false);
		this.editions.adopt(layers.rules(this.warnings));
	}

	/**
	 * Require the configured source of live rules.
	 * @param environment the properties
	 * @param found whether there is a source
	 */
	public static void requireSource(Environment environment, boolean found) {
		String source = AotCheck.liveSource(environment);
		if (!source.equals(AotCheck.NO_SOURCE) && !found) {
			throw new StoreConfigurationException(
					"'ratelimit.live.source' is '" + source + "', but there is no such source.",
					(source.equals("redis"))
							? "Configure a connection to Redis, such as 'ratelimit.redis.host', and do not set"
									+ " 'ratelimit.store: memory'."
							: "Set 'ratelimit.live.source' for 'process-aot' too, and do not exclude"
									+ " 'RateLimitLiveAutoConfiguration'.");
		}
	}

}
