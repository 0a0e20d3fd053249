package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.Phase;
import dev.ratelimit.RuleMode;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;

/**
 * Finds rules whose key is what clients write into their requests, where nothing beside
 * them limits a client who writes something else each time: no authentication has looked
 * at the request, and no other rule of another key holds for it.
 */
final class ClientSetKeyCheck {

	private ClientSetKeyCheck() {
	}

	static List<Finding> in(List<RuleReach> rules, boolean phased) {
		return rules.stream()
			.filter((reach) -> enforces(reach.rule()) && isChosen(reach.rule())
					&& !isAuthenticated(reach.rule(), phased))
			.filter((reach) -> rules.stream().noneMatch((other) -> stands(other, reach, phased)))
			.map(ClientSetKeyCheck::finding)
			.toList();
	}

	private static boolean enforces(Rule rule) {
		return rule.reaction().mode() == RuleMode.ENFORCE;
	}

	private static boolean isChosen(Rule rule) {
		return rule.key().parts().stream().allMatch((part) -> switch (part.kind()) {
			case HEADER, PARAM, FORM -> true;
			default -> false;
		});
	}

	// Such as an API key that Spring Security has checked.
	private static boolean isAuthenticated(Rule rule, boolean phased) {
		return phased && (rule.reaction().phase() == Phase.LATE || !rule.numbers().plans().isEmpty()
				|| rule.numbers().cost().kind() == Cost.Kind.BEAN);
	}

	private static boolean stands(RuleReach other, RuleReach reach, boolean phased) {
		return enforces(other.rule()) && !isChosen(other.rule()) && !(phased && isLate(other.rule()))
				&& (other.covers(reach) || isNamedBySameHandlers(other, reach));
	}

	// A late rule does not see failed logins, which the early rule is there to limit.
	private static boolean isLate(Rule rule) {
		return rule.reaction().phase() == Phase.LATE
				|| (rule.reaction().phase() == Phase.AUTO && rule.sharedByAllClients());
	}

	private static boolean isNamedBySameHandlers(RuleReach other, RuleReach reach) {
		return !reach.handlerPaths().isEmpty() && reach.rule().match().paths().isEmpty()
				&& other.handlerPaths().containsAll(reach.handlerPaths());
	}

	private static Finding finding(RuleReach reach) {
		List<String> key = reach.rule().key().parts().stream().map(KeyPart::toString).toList();
		return new Finding(FindingCode.CHOSEN_KEY, "ratelimit.rules." + reach.rule().id() + ".key",
				"Its key is " + key + ": a client that varies the value is never limited.");
	}

}
