package dev.ratelimit.live;

import java.util.Optional;

import dev.ratelimit.engine.FormerRules;
import dev.ratelimit.engine.PreparedEdition;
import dev.ratelimit.rule.LayeredRules;
import dev.ratelimit.rule.RuleLayers;

/**
 * Internal: rules that can become active at any time. Immutable.
 *
 * @param base the rules of the application itself
 * @param live the document that overrides them, if there is one
 * @param rules the resulting rules
 * @param former the rules that were active on other instances before
 * @param edition the prepared edition
 */
public record PreparedRules(RuleLayers base, Optional<LiveLayer> live, LayeredRules rules, FormerRules former,
		PreparedEdition edition) {

	long version() {
		return this.live.map((layer) -> layer.document().version()).orElse(0L);
	}

}
