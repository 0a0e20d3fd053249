package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;

import dev.ratelimit.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Which rules are evaluated.
 *
 * @param current the rules
 * @param phase early or late; null if the path was rewritten
 * @param part which of the rules of the phase
 */
record RuleStep(GateRules current, @Nullable Phase phase, Part part) {

	static RuleStep first(GateRules current, @Nullable Phase phase) {
		return new RuleStep(current, phase, Part.FIRST);
	}

	List<MatchedRule> matches(GateRequest request, Optional<HandlerIndex.Served> served) {
		return (this.phase != null) ? this.current.matches(this.phase, request, served)
				: this.current.matches(request, served);
	}

}
