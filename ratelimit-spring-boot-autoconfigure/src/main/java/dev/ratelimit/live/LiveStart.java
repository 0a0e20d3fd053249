package dev.ratelimit.live;

import java.util.Optional;
import java.util.function.Consumer;

import dev.ratelimit.autoconfigure.PlainStart;
import dev.ratelimit.autoconfigure.RuleStart;
import dev.ratelimit.base.StoreConfigurationException;
import dev.ratelimit.rule.RuleLayers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;

/**
 * Makes the first rules active, overridden by live rules if there is a source.
 *
 * @param environment the properties
 * @param rules the effective rules
 * @param warningsOfRules receives the warnings of rules
 * @param live follows the source, if there is one
 */
record LiveStart(Environment environment, EffectiveRules rules, RuleWarnings warningsOfRules,
		ObjectProvider<LiveRules> live) implements RuleStart {

	@Override
	public Consumer<String> warnings() {
		return this.warningsOfRules::add;
	}

	@Override
	public void begin(RuleLayers layers) {
		this.rules.begin(layers);
		Optional<LiveRules> source = this.live.stream().findFirst();
		PlainStart.requireSource(this.environment, source.isPresent());
		source.ifPresentOrElse(LiveStart::begin, this.rules::adoptBase);
	}

	private static void begin(LiveRules source) {
		try {
			source.begin();
		}
		catch (RuleSourceException ex) {
			source.close();
			throw new StoreConfigurationException(ex.getMessage() + ".",
					"Check 'ratelimit.live', or set 'ratelimit.live.on-missing: base' to start with the rules of the"
							+ " application.");
		}
	}

}
