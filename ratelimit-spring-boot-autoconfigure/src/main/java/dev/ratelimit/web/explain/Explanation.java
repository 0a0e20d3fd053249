package dev.ratelimit.web.explain;

import java.util.List;
import java.util.Optional;

/**
 * Internal: what would happen to a request now. Immutable.
 *
 * @param enquiry what was asked about
 * @param outcome {@code allowed}, {@code denied}, or {@code exempt} if no rule counts the
 * request
 * @param handler the handler method with rules that would serve it, if there is one
 * @param note what the explanation rests on, if something could not be found out
 * @param rules every rule there is, in the order of their ids
 */
public record Explanation(ExplainRequest enquiry, String outcome, Optional<String> handler, Optional<String> note,
		List<RuleExplanation> rules) {

	static Explanation banned(ExplainRequest enquiry) {
		return new Explanation(enquiry, "denied", Optional.empty(),
				Optional.of("the address is on the deny list (ratelimit.deny)"), List.of());
	}

	static Explanation exempt(ExplainRequest enquiry) {
		return new Explanation(enquiry, "exempt", Optional.empty(),
				Optional.of("management endpoints and CORS preflight requests are not limited"), List.of());
	}

}
