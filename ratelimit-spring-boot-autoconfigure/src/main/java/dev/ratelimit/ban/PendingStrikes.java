package dev.ratelimit.ban;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

import dev.ratelimit.Decision;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Strikes;
import dev.ratelimit.rule.BanTerms;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.RuleKey;

/**
 * The subjects of a request that can get a strike.
 *
 * @param pending the rules and their subjects
 * @param counter counts a strike
 */
record PendingStrikes(List<Pending> pending, BiConsumer<CompiledRule, String> counter) implements Strikes {

	/**
	 * The outcomes of requests that the rule has rejected, immediately or in its queue.
	 */
	private static final Set<Outcome> REJECTING = EnumSet.of(Outcome.REJECTED, Outcome.SHADOW_REJECTED,
			Outcome.QUEUE_FULL, Outcome.WAITED_OUT);

	private static final String USER = "user:";

	private static final String ADDRESS = "ip:";

	private static final String MISSING = "user:~none";

	PendingStrikes {
		pending = List.copyOf(pending);
	}

	PendingStrikes with(CompiledRule rule, String subject) {
		List<Pending> all = new ArrayList<>(this.pending);
		all.add(new Pending(rule, subject));
		return new PendingStrikes(all, this.counter);
	}

	// A page of another site can send requests as its visitor, and clients behind a proxy
	// or without a known address cannot be identified. They must not be banned for such
	// requests. A rule whose key is the user bans addresses only if its configuration
	// requires this.
	static boolean mayStrike(RuleKey key, String subject, boolean crossSite, boolean ownAddress) {
		boolean user = false;
		boolean address = false;
		int begin = 0;
		for (int i = 0; i < key.parts().size() && begin >= 0; i++) {
			user |= subject.startsWith(USER, begin) && !subject.startsWith(MISSING, begin);
			address |= subject.startsWith(ADDRESS, begin) && !standsIn(key, key.parts().get(i));
			begin = next(subject, begin);
		}
		return (user || address) && !(user && crossSite) && !(address && !ownAddress);
	}

	private static boolean standsIn(RuleKey key, KeyPart part) {
		return part.kind().requiresPrincipal() && !key.writes(MissingKeyPolicy.IP);
	}

	private static int next(String subject, int begin) {
		int end = subject.indexOf('|', begin);
		return (end < 0) ? -1 : end + 1;
	}

	@Override
	public void decided(Decision decision) {
		for (Pending strike : this.pending) {
			if (strike.terms().onRejected() && strike.isRejected(decision)) {
				this.counter.accept(strike.rule(), strike.subject());
			}
		}
	}

	@Override
	public boolean countsStatus() {
		return this.pending.stream().anyMatch((strike) -> strike.terms().statuses().isPresent());
	}

	@Override
	public void sent(int status) {
		for (Pending strike : this.pending) {
			if (strike.terms().countsStatus(status)) {
				this.counter.accept(strike.rule(), strike.subject());
			}
		}
	}

	/**
	 * A rule and a subject that may get a strike.
	 *
	 * @param rule the rule
	 * @param subject the subject
	 */
	record Pending(CompiledRule rule, String subject) {

		BanTerms terms() {
			return this.rule.rule().reaction().excess().ban().orElseThrow();
		}

		private boolean isRejected(Decision decision) {
			for (Verdict verdict : decision.verdicts()) {
				if (REJECTING.contains(verdict.outcome()) && verdict.policy().ruleId().equals(this.rule.rule().id())) {
					return true;
				}
			}
			return false;
		}

	}

}
