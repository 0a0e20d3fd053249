package dev.ratelimit.gate;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.ratelimit.Decision;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.SanctionKeeper;
import dev.ratelimit.rule.BanTerms;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.RuleKey;

/**
 * Which subjects of a call can get a strike, and what is one.
 */
final class Strikes {

	/** The rule has denied the request, at once or in its line. */
	private static final Set<Outcome> DENIED = EnumSet.of(Outcome.DENIED, Outcome.SHADOW_DENIED, Outcome.LINE_FULL,
			Outcome.WAITED_OUT);

	private static final String USER = "user:";

	private static final String ADDRESS = "ip:";

	private static final String MISSING = "user:~none";

	private Strikes() {
	}

	static List<Strike> with(List<Strike> sofar, CompiledRule rule, String subject, Call call) {
		if (!mayStrike(rule.rule().key(), subject, call)) {
			return sofar;
		}
		List<Strike> strikes = new ArrayList<>(sofar);
		strikes.add(new Strike(rule, subject));
		return strikes;
	}

	// A page of another site can send requests of its visitor, and nobody can tell who
	// is behind a proxy or an unknown address: they must not be banned for it. A rule
	// for users bans addresses only if it says so.
	static boolean mayStrike(RuleKey key, String subject, Call call) {
		boolean user = false;
		boolean address = false;
		int begin = 0;
		for (int i = 0; i < key.parts().size() && begin >= 0; i++) {
			user |= subject.startsWith(USER, begin) && !subject.startsWith(MISSING, begin);
			address |= subject.startsWith(ADDRESS, begin) && !standsIn(key, key.parts().get(i));
			begin = next(subject, begin);
		}
		return (user || address) && !(user && call.isCrossSite()) && !(address && !call.hasAddressOfItsOwn());
	}

	private static boolean standsIn(RuleKey key, KeyPart part) {
		return part.kind().requiresPrincipal() && !key.writes(MissingKeyPolicy.IP);
	}

	private static int next(String subject, int begin) {
		int end = subject.indexOf('|', begin);
		return (end < 0) ? -1 : end + 1;
	}

	static void denied(List<Strike> strikes, Decision decision, SanctionKeeper keeper) {
		for (Strike strike : strikes) {
			if (strike.terms().onDenied() && strike.isDenied(decision)) {
				keeper.strike(strike.rule(), strike.subject());
			}
		}
	}

	static void sent(List<Strike> strikes, int status, SanctionKeeper keeper) {
		for (Strike strike : strikes) {
			if (strike.terms().countsStatus(status)) {
				keeper.strike(strike.rule(), strike.subject());
			}
		}
	}

	/**
	 * What may become a strike.
	 *
	 * @param rule the rule
	 * @param subject the subject
	 */
	record Strike(CompiledRule rule, String subject) {

		BanTerms terms() {
			return this.rule.rule().reaction().excess().ban().orElseThrow();
		}

		private boolean isDenied(Decision decision) {
			for (Verdict verdict : decision.verdicts()) {
				if (DENIED.contains(verdict.outcome()) && verdict.policy().ruleId().equals(this.rule.rule().id())) {
					return true;
				}
			}
			return false;
		}

	}

}
