package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.gate.RuleObservations;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleKey;

/**
 * Internal: checks of the requests that have arrived.
 */
public final class RequestChecks implements Check {

	/**
	 * The minimum number of requests for a finding. Fewer can be those of an operator, or
	 * a coincidence.
	 */
	private static final long MIN_EVIDENCE = 10;

	private final List<Check> checks;

	/**
	 * Create the checks of requests.
	 * @param observations the observations of requests
	 */
	public RequestChecks(RequestObservations observations) {
		this.checks = List.of(new PeerCheck(observations), new RejectionCheck(observations),
				new DoubleCountCheck(observations), new KeyAndCostCheck(observations),
				new RewrittenPathCheck(observations), new ExemptRequestCheck(observations));
	}

	@Override
	public List<Finding> findings() {
		return this.checks.stream().flatMap((check) -> check.findings().stream()).toList();
	}

	/**
	 * Finds requests that are counted more than once.
	 *
	 * @param observations the observations of requests
	 */
	private record DoubleCountCheck(RequestObservations observations) implements Check {

		@Override
		public List<Finding> findings() {
			List<Finding> findings = new ArrayList<>();
			long twice = this.observations.countedTwice();
			if (twice > 0) {
				findings.add(Finding.counted(FindingCode.TWO_LIMITERS, "filters", "A rule charged a request again "
						+ twice + " times: a rate limit filter is" + " registered twice for the same phase.", twice));
			}
			long foreign = this.observations.foreignHeaders();
			if (foreign > 0) {
				findings.add(Finding.counted(FindingCode.TWO_LIMITERS, "headers",
						foreign + " sampled responses already had rate limit headers from another limiter.", foreign));
			}
			return findings;
		}

	}

	/**
	 * Finds credentials in requests that no rule counts, and in those of probes.
	 *
	 * @param observations the observations of requests
	 */
	private record ExemptRequestCheck(RequestObservations observations) implements Check {

		@Override
		public List<Finding> findings() {
			ExemptObservations seen = this.observations.exempt();
			List<Finding> findings = new ArrayList<>(2);
			long authenticated = seen.principals() + seen.unauthorized();
			if (authenticated > 0) {
				findings.add(Finding.counted(FindingCode.AUTHENTICATED_EXEMPT, "exempt requests",
						"Of the requests that no rule counts, " + seen.principals() + " had a principal, and "
								+ seen.unauthorized() + " preflights were answered with 401.",
						authenticated));
			}
			if (seen.probes() >= MIN_EVIDENCE) {
				findings.add(Finding.counted(FindingCode.PROBE_CREDENTIALS, "health",
						seen.probes() + " requests for health had an Authorization header: rules count them,"
								+ " so that a probe may be rejected.",
						seen.probes()));
			}
			return findings;
		}

	}

	/**
	 * Finds rules whose key most requests lack, and rules whose capacity is below the
	 * cost of requests.
	 *
	 * @param observations the observations of requests
	 */
	private record KeyAndCostCheck(RequestObservations observations) implements Check {

		/**
		 * The minimum number of requests for a finding of equal values, which could be a
		 * coincidence.
		 */
		private static final long MIN_ALIKE = 100;

		@Override
		public List<Finding> findings() {
			List<Finding> findings = new ArrayList<>();
			for (RuleObservations seen : this.observations.rules()) {
				if (seen.evaluations() >= MIN_ALIKE && 10 * seen.lacking() > 9 * seen.evaluations()) {
					findings.add(missing(seen));
				}
				if (seen.oversized() >= MIN_EVIDENCE) {
					findings.add(oversized(seen));
				}
			}
			return findings;
		}

		private static Finding missing(RuleObservations seen) {
			return Finding
				.counted(FindingCode.MISSING_KEY, property(seen) + ".key",
						seen.lacking() + " of " + seen.evaluations() + " requests had no value for a part of the key "
								+ seen.rule().key().parts() + "; " + consequence(seen.rule().key()) + ".",
						seen.lacking());
		}

		private static String consequence(RuleKey key) {
			return key.onMissing()
				.map((policy) -> "with 'on-missing-key: " + EnumNames.of(policy) + "' " + consequence(policy))
				.orElseGet(() -> "without 'on-missing-key' " + unwritten(key));
		}

		private static String unwritten(RuleKey key) {
			if (!key.requiresPrincipal()) {
				return consequence(MissingKeyPolicy.SHARED);
			}
			boolean others = key.parts().stream().map(KeyPart::kind).anyMatch(KeyAndCostCheck::isSharedWithout);
			return (others) ? "those without a user or claim are counted by client address, and others share one bucket"
					: consequence(MissingKeyPolicy.IP);
		}

		private static boolean isSharedWithout(KeyPart.Kind kind) {
			return kind.mayBeMissing() && !kind.requiresPrincipal();
		}

		private static String consequence(MissingKeyPolicy onMissingKey) {
			return switch (onMissingKey) {
				case SHARED -> "they share one bucket";
				case SKIP -> "they are not limited by the rule";
				case DENY -> "they are rejected";
				case IP -> "they are counted by client address";
			};
		}

		private static Finding oversized(RuleObservations seen) {
			return Finding.counted(FindingCode.COST_ABOVE_CAPACITY, property(seen) + ".cost",
					seen.oversized() + " requests cost more than the capacity of " + seen.rule().limits()
							+ ". Such requests are always rejected.",
					seen.oversized());
		}

		private static String property(RuleObservations seen) {
			return seen.rule().location();
		}

	}

	/**
	 * Finds clients that cannot be identified, although rules use their addresses.
	 *
	 * @param observations the observations of requests
	 */
	private record PeerCheck(RequestObservations observations) implements Check {

		/**
		 * The minimum number of requests for a finding of equal values, which could be a
		 * coincidence.
		 */
		private static final long MIN_ALIKE = 100;

		@Override
		public List<Finding> findings() {
			List<String> rules = byAddress();
			PeerObservations peers = this.observations.peers();
			if (rules.isEmpty()) {
				return List.of();
			}
			// Some clients send such headers without a proxy, so at least half of the
			// requests must have them.
			if (peers.untrusted() >= MIN_EVIDENCE && 2 * peers.untrusted() >= peers.requests()) {
				return List.of(untrusted(rules, peers));
			}
			boolean alike = peers.requests() >= MIN_ALIKE && peers.onlyAddress().isPresent() && peers.forwarded() == 0;
			return (alike) ? List.of(alike(rules, peers)) : List.of();
		}

		private static Finding untrusted(List<String> rules, PeerObservations peers) {
			return Finding.counted(FindingCode.UNTRUSTED_FORWARDING, "rules " + rules, peers.untrusted() + " of "
					+ peers.requests()
					+ " sampled requests had X-Forwarded-For or Forwarded, which was ignored: all clients behind a"
					+ " proxy share one limit.", peers.untrusted());
		}

		private static Finding alike(List<String> rules, PeerObservations peers) {
			return Finding.counted(FindingCode.ONE_ADDRESS, "rules " + rules, "All " + peers.requests()
					+ " sampled requests came from one address: a proxy hides the client addresses, or there is only"
					+ " one client.", peers.requests());
		}

		private List<String> byAddress() {
			return this.observations.rules()
				.stream()
				.map(RuleObservations::rule)
				.filter((rule) -> rule.key().mayUseAddress())
				.map(Rule::id)
				.toList();
		}

	}

	/**
	 * Finds rejections that browsers hide from the pages that sent the requests.
	 *
	 * @param observations the observations of requests
	 */
	private record RejectionCheck(RequestObservations observations) implements Check {

		@Override
		public List<Finding> findings() {
			RejectionObservations seen = this.observations.rejections();
			// If pages can read some rejections, CORS is configured, and the other
			// origins are not allowed.
			boolean never = seen.unreadable() >= MIN_EVIDENCE && seen.unreadable() == seen.crossOrigin();
			return (never) ? List.of(Finding.counted(FindingCode.REJECTION_WITHOUT_CORS, "CORS", "None of "
					+ seen.unreadable()
					+ " rejections of cross-origin requests had Access-Control-Allow-Origin: browsers show a network"
					+ " error instead of the status.", seen.unreadable())) : List.of();
		}

	}

	/**
	 * Finds filters that rewrite paths after the rules were matched.
	 *
	 * @param observations the observations of requests
	 */
	private record RewrittenPathCheck(RequestObservations observations) implements Check {

		@Override
		public List<Finding> findings() {
			long rewritten = this.observations.rewrittenPaths();
			return (rewritten == 0) ? List.of()
					: List.of(Finding.counted(FindingCode.REWRITTEN_PATH, "filters", rewritten
							+ " requests were served by a different path than the one that the rate limit filters saw.",
							rewritten));
		}

	}

}
