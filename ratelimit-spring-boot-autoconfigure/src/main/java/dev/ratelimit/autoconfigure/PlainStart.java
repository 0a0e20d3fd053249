package dev.ratelimit.autoconfigure;

import java.util.function.Consumer;

import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.RuleLayers;

import org.springframework.core.env.Environment;

/**
 * Internal: makes the rules of the application active, without live rules.
 *
 * @param environment the properties
 * @param editions the editions of the rules
 * @param warnings receives warnings
 */
public record PlainStart(Environment environment, Editions editions, Consumer<String> warnings) implements RuleStart {

	@Override
	public void begin(RuleLayers layers) {
		requireSource(this.environment, false);
		this.editions.adopt(layers.rules(this.warnings));
	}

	/**
	 * Fail if a source of live rules is configured but does not exist.
	 * @param environment the properties
	 * @param found whether a source exists
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
