package dev.ratelimit.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.Limit;
import dev.ratelimit.RuleMode;
import dev.ratelimit.algorithm.Algorithm;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.base.ActiveRules;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.base.RuleReach;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.LimitSet;
import dev.ratelimit.rule.PathCovers;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.Waiting;
import dev.ratelimit.store.lease.IdleLeases;
import org.jspecify.annotations.Nullable;

/**
 * Checks of rules that do not depend on requests. Each set of rules is checked once, on
 * the thread of the doctor, because other threads wait while rules become active, and the
 * comparison of all rules takes time. Thread-safe.
 */
final class RuleChecks implements Check {

	private final boolean leasing;

	private final Examination examination;

	private final Supplier<ActiveRules> active;

	private @Nullable ActiveRules examined;

	private List<Finding> findings = List.of();

	/**
	 * Check rules.
	 * @param active the active rules
	 * @param leasing whether the store supports leasing
	 */
	RuleChecks(Supplier<ActiveRules> active, boolean leasing) {
		this(active, leasing, RuleChecks::examine);
	}

	RuleChecks(Supplier<ActiveRules> active, boolean leasing, Examination examination) {
		this.active = active;
		this.leasing = leasing;
		this.examination = examination;
	}

	@Override
	public synchronized List<Finding> findings() {
		ActiveRules current = this.active.get();
		if (current != this.examined) {
			this.findings = this.examination.findings(current.rules(), this.leasing);
			this.examined = current;
		}
		return this.findings;
	}

	private static List<Finding> examine(List<RuleReach> rules, boolean leasing) {
		List<Finding> found = new ArrayList<>(RedundantRuleCheck.in(rules));
		found.addAll(ClientSetKeyCheck.in(rules));
		found.addAll(LongWaitCheck.in(rules));
		found.addAll(RefilledQuotaCheck.in(rules));
		if (leasing) {
			found.addAll(IdleLeases.in(rules));
		}
		return List.copyOf(found);
	}

	/**
	 * Checks all rules.
	 */
	@FunctionalInterface
	interface Examination {

		List<Finding> findings(List<RuleReach> rules, boolean leasing);

	}

	/**
	 * Finds rules whose key the client controls, if a client that varies the value is not
	 * limited otherwise: the rule does not require authentication, and no rule with
	 * another key applies to the same requests.
	 */
	private static final class ClientSetKeyCheck {

		private ClientSetKeyCheck() {
		}

		static List<Finding> in(List<RuleReach> rules) {
			return rules.stream()
				.filter((reach) -> enforces(reach.rule()) && limits(reach.rule()) && isChosen(reach.rule())
						&& !reach.afterSecurity())
				.filter((reach) -> rules.stream().noneMatch((other) -> limitsInstead(other, reach)))
				.map(ClientSetKeyCheck::finding)
				.toList();
		}

		private static boolean enforces(Rule rule) {
			return rule.reaction().mode() == RuleMode.ENFORCE;
		}

		// The limits of plans and overrides may be others.
		private static boolean limits(Rule rule) {
			return rule.numbers().quota().kind() != LimitSet.Kind.UNLIMITED || !rule.numbers().plans().isEmpty();
		}

		private static boolean isChosen(Rule rule) {
			return rule.key().parts().stream().allMatch((part) -> part.kind().isChosenByClient());
		}

		// A rule after Spring Security does not apply to failed logins, so it cannot
		// replace the limit of a rule before.
		private static boolean limitsInstead(RuleReach other, RuleReach reach) {
			return other.rule().enforcesForAll() && limits(other.rule()) && !isChosen(other.rule())
					&& !other.afterSecurity() && (other.covers(reach) || isNamedBySameHandlers(other, reach));
		}

		private static boolean isNamedBySameHandlers(RuleReach other, RuleReach reach) {
			return !reach.handlerPaths().isEmpty() && reach.rule().match().paths().isEmpty()
					&& other.handlerPaths().containsAll(reach.handlerPaths());
		}

		private static Finding finding(RuleReach reach) {
			List<String> key = reach.rule().key().parts().stream().map(KeyPart::toString).toList();
			return new Finding(FindingCode.CLIENT_CONTROLLED_KEY, reach.rule().location() + ".key",
					"Its key is " + key + ": a client that varies the value is never limited.");
		}

	}

	/**
	 * Finds rules without effect, because a broader rule charges the same clients for the
	 * same requests and is at least as strict. A rule with any property that may make a
	 * difference is not reported.
	 */
	private static final class RedundantRuleCheck {

		private RedundantRuleCheck() {
		}

		static List<Finding> in(List<RuleReach> rules) {
			List<RuleReach> enforced = rules.stream().filter((reach) -> enforces(reach.rule())).toList();
			PathCovers covers = covers(enforced);
			List<Finding> findings = new ArrayList<>();
			for (RuleReach specific : enforced) {
				specific.paths()
					.stream()
					.limit(1)
					.flatMap((path) -> covers.of(path).stream())
					.map(enforced::get)
					.filter((general) -> shadows(general, specific) && !isEarlierOfTwins(general, specific))
					.findFirst()
					.ifPresent((general) -> findings.add(finding(general, specific)));
			}
			return findings;
		}

		// A broader rule must cover the first path of the other rule, so only few rules
		// are compared.
		private static PathCovers covers(List<RuleReach> rules) {
			PathCovers covers = new PathCovers();
			for (int i = 0; i < rules.size(); i++) {
				for (String pattern : rules.get(i).rule().match().paths()) {
					covers.add(pattern, i);
				}
			}
			return covers;
		}

		private static Finding finding(RuleReach general, RuleReach specific) {
			return new Finding(FindingCode.REDUNDANT_RULE, specific.rule().location(),
					"The rule '" + general.rule().id() + "' (" + general.rule().limits()
							+ ") charges the same key for all of its requests and is at least as strict as "
							+ specific.rule().limits() + ".");
		}

		// If each of two rules makes the other redundant, only the rule with the later id
		// is reported.
		private static boolean isEarlierOfTwins(RuleReach general, RuleReach specific) {
			return shadows(specific, general) && general.rule().id().compareTo(specific.rule().id()) > 0;
		}

		private static boolean shadows(RuleReach general, RuleReach specific) {
			return general != specific && countsAlike(general.rule(), specific.rule()) && general.covers(specific)
					&& specific.rule()
						.limits()
						.stream()
						.allMatch(
								(limit) -> general.rule().limits().stream().anyMatch((one) -> isAsStrict(one, limit)));
		}

		private static boolean enforces(Rule rule) {
			return rule.enforcesForAll() && rule.numbers().quota().kind() == LimitSet.Kind.LIMITED
					&& rule.numbers().plans().isEmpty() && rule.numbers().overrides().isEmpty()
					&& rule.reaction().replaces().isEmpty() && rule.numbers().bucket().isEmpty()
					&& !rule.reaction().idempotency()
					&& rule.key().parts().stream().noneMatch((part) -> dependsOnPattern(part.kind()));
		}

		// The value of such a key depends on the pattern of the rule.
		private static boolean dependsOnPattern(KeyPart.Kind kind) {
			return kind == KeyPart.Kind.ROUTE || kind == KeyPart.Kind.PATH;
		}

		private static boolean countsAlike(Rule general, Rule specific) {
			return general.key().equals(specific.key()) && general.access().equals(specific.access())
					&& general.reaction().equals(specific.reaction())
					&& general.numbers().cost().equals(specific.numbers().cost())
					&& !general.numbers().cost().estimated()
					&& general.numbers().consistency() == specific.numbers().consistency()
					&& general.numbers().quota().store().equals(specific.numbers().quota().store())
					&& general.numbers().reserve().equals(specific.numbers().reserve())
					&& general.regions() == specific.regions();
		}

		private static boolean isAsStrict(Limit general, Limit specific) {
			if (!general.algorithm().equals(specific.algorithm()) || !general.calendar().equals(specific.calendar())) {
				return false;
			}
			boolean less = general.burst() <= specific.burst() && general.credit() <= specific.credit();
			return (isSteady(Algorithms.of(general))) ? less && isAsSlow(general, specific)
					: less && general.period().equals(specific.period()) && general.quantity() <= specific.quantity();
		}

		// In each period, such an algorithm allows the burst plus the units that the rate
		// adds.
		private static boolean isSteady(Algorithm algorithm) {
			return algorithm.refillsEvenly() && !algorithm.holdsRequests();
		}

		private static boolean isAsSlow(Limit general, Limit specific) {
			return (double) general.quantity() / general.period().toMillis() <= (double) specific.quantity()
					/ specific.period().toMillis();
		}

	}

	/**
	 * Finds rules that let requests wait for longer than the timeout of most clients and
	 * proxies.
	 */
	private static final class LongWaitCheck {

		private static final Duration USUAL_TIMEOUT = Duration.ofSeconds(10);

		private LongWaitCheck() {
		}

		static List<Finding> in(List<RuleReach> rules) {
			return rules.stream()
				.filter((reach) -> reach.rule()
					.reaction()
					.waiting()
					.map(Waiting::max)
					.filter((max) -> max.compareTo(USUAL_TIMEOUT) > 0)
					.isPresent())
				.map((reach) -> new Finding(FindingCode.LONG_WAIT, reach.rule().id(),
						"Its maximum wait is longer than 10 s. Clients and proxies may give up before, and servlet"
								+ " requests keep their place in the queue even so."))
				.toList();
		}

	}

	/**
	 * Finds limits per day or longer that are token buckets: such a limit allows up to
	 * twice its quantity in one period, because the bucket refills during the period.
	 */
	private static final class RefilledQuotaCheck {

		private static final Duration DAY = Duration.ofDays(1);

		private RefilledQuotaCheck() {
		}

		static List<Finding> in(List<RuleReach> rules) {
			return rules.stream()
				.map(RuleReach::rule)
				.flatMap((rule) -> rule.numbers()
					.all()
					.filter(RefilledQuotaCheck::isRefilled)
					.limit(1)
					.map((limit) -> finding(rule, limit)))
				.toList();
		}

		private static boolean isRefilled(Limit limit) {
			return limit.algorithm().equals(Algorithms.DEFAULT) && limit.period().compareTo(DAY) >= 0
					&& limit.burst() >= limit.quantity();
		}

		private static Finding finding(Rule rule, Limit limit) {
			return new Finding(FindingCode.REFILLED_QUOTA, rule.location() + ".limit",
					"'" + limit + "' refills evenly: from a full bucket, a client can use "
							+ (limit.burst() + limit.quantity()) + " in " + limit.window()
							+ ". A time zone, as in '1000/day Europe/Paris', makes it a number per calendar day.");
		}

	}

}
