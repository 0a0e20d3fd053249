package dev.ratelimit.gate;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.SanctionKeeper;
import dev.ratelimit.rule.BanTerms;

/**
 * Which subjects of a call can get a strike, and what is one.
 */
final class Strikes {

	private static final String USER = "user:";

	private static final String ADDRESS = "ip:";

	private static final String MISSING = "user:~none";

	private Strikes() {
	}

	static List<Strike> with(List<Strike> sofar, CompiledRule rule, String subject, Call call) {
		if (!mayStrike(subject, call)) {
			return sofar;
		}
		List<Strike> strikes = new ArrayList<>(sofar);
		strikes.add(new Strike(rule, subject));
		return strikes;
	}

	// A page of another site can send requests of its visitor, and nobody can tell who
	// is behind a proxy or an unknown address: they must not be banned for it.
	static boolean mayStrike(String subject, Call call) {
		boolean user = false;
		boolean address = false;
		for (int begin = 0; begin >= 0 && begin < subject.length(); begin = next(subject, begin)) {
			user |= subject.startsWith(USER, begin) && !subject.startsWith(MISSING, begin);
			address |= subject.startsWith(ADDRESS, begin);
		}
		return (user || address) && !(user && call.isCrossSite()) && !(address && !call.hasAddressOfItsOwn());
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
				boolean denied = verdict.outcome() == Outcome.DENIED || verdict.outcome() == Outcome.SHADOW_DENIED;
				if (denied && verdict.policy().ruleId().equals(this.rule.rule().id())) {
					return true;
				}
			}
			return false;
		}

	}

}
