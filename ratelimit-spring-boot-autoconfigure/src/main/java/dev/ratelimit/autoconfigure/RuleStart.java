package dev.ratelimit.autoconfigure;

import java.util.function.Consumer;

import dev.ratelimit.rule.RuleLayers;

/**
 * Internal: makes the first rules active.
 */
public interface RuleStart {

	/**
	 * Where warnings about rules go.
	 * @return receives what works but is probably not intended
	 */
	Consumer<String> warnings();

	/**
	 * Make the first rules active.
	 * @param layers the rules of the application itself
	 */
	void begin(RuleLayers layers);

}
