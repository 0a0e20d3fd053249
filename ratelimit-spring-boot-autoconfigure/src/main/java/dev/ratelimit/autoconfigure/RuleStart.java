package dev.ratelimit.autoconfigure;

import java.util.function.Consumer;

import dev.ratelimit.rule.RuleLayers;

/**
 * Internal: makes the first rules active.
 */
public interface RuleStart {

	/**
	 * Return the receiver of warnings about rules.
	 * @return the receiver of texts about rules that work but are probably not intended
	 */
	Consumer<String> warnings();

	/**
	 * Make the first rules active.
	 * @param layers the rules of the application
	 */
	void begin(RuleLayers layers);

}
