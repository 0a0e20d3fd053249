package dev.ratelimit.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.MissingKey;
import dev.ratelimit.RuleMode;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.web.PeerObservations;
import dev.ratelimit.web.RefusalObservations;
import dev.ratelimit.web.RequestObservations;
import dev.ratelimit.web.RuleObservations;

/**
 * What can be told of the requests that have come.
 *
 * @param observations what was seen of them
 * @since 0.1.0
 */
public record RequestChecks(RequestObservations observations) implements Check {

	/** So few may be anybody's. */
	private static final long FEW = 10;

	/** So many would not be alike by chance. */
	private static final long MANY = 100;

	@Override
	public List<Finding> findings() {
		List<Finding> findings = new ArrayList<>();
		peers().ifPresent(findings::add);
		refusals().ifPresent(findings::add);
		twice().ifPresent(findings::add);
		for (RuleObservations seen : this.observations.rules()) {
			missingKey(seen).ifPresent(findings::add);
			oversized(seen).ifPresent(findings::add);
		}
		return findings;
	}

	// Whoever has no proxy in front still gets such headers from some clients.
	private Optional<Finding> peers() {
		PeerObservations peers = this.observations.peers();
		List<String> byAddress = byAddress();
		if (byAddress.isEmpty()) {
			return Optional.empty();
		}
		if (peers.untrusted() >= FEW && 2 * peers.untrusted() >= peers.requests()) {
			return Optional.of(Finding.counted(FindingCode.UNTRUSTED_FORWARDING, "rules " + byAddress,
					peers.untrusted() + " of " + peers.requests()
							+ " sampled requests had X-Forwarded-For or Forwarded, which was not believed: clients"
							+ " behind one proxy share one limit.",
					peers.untrusted()));
		}
		return peers.onlyAddress()
			.filter((address) -> peers.requests() >= MANY)
			.map((address) -> Finding.counted(FindingCode.ONE_ADDRESS, "rules " + byAddress,
					"All " + peers.requests()
							+ " sampled requests came from one address: a proxy in front hides the clients, or there is"
							+ " but one.",
					peers.requests()));
	}

	private List<String> byAddress() {
		return this.observations.rules()
			.stream()
			.map(RuleObservations::rule)
			.filter((rule) -> rule.mode() != RuleMode.OFF && isByAddress(rule))
			.map(Rule::id)
			.toList();
	}

	private static boolean isByAddress(Rule rule) {
		return rule.onMissingKey() == MissingKey.IP || rule.key()
			.stream()
			.anyMatch((part) -> part.kind() == KeyPart.Kind.IP || part.kind() == KeyPart.Kind.CALLER);
	}

	private Optional<Finding> refusals() {
		RefusalObservations seen = this.observations.refusals();
		// Where some can be read, CORS is applied, and the others are not allowed to.
		boolean never = seen.unreadable() >= FEW && seen.unreadable() == seen.crossOrigin();
		return (never) ? Optional.of(Finding.counted(FindingCode.UNREADABLE_REFUSAL, "CORS",
				"None of " + seen.unreadable()
						+ " refusals to pages of other origins had Access-Control-Allow-Origin: browsers show an error"
						+ " of the network instead of the status.",
				seen.unreadable())) : Optional.empty();
	}

	private Optional<Finding> twice() {
		long twice = this.observations.countedTwice();
		if (twice > 0) {
			return Optional.of(Finding.counted(FindingCode.TWO_LIMITERS, "filters",
					twice + " times a request came to a rule that had charged it already: a filter of the limiter is"
							+ " registered twice for one phase.",
					twice));
		}
		long foreign = this.observations.foreignHeaders();
		return (foreign > 0)
				? Optional.of(Finding.counted(FindingCode.TWO_LIMITERS, "headers",
						foreign + " sampled responses had quota headers that something else had written.", foreign))
				: Optional.empty();
	}

	private static Optional<Finding> missingKey(RuleObservations seen) {
		boolean mostly = seen.asked() >= MANY && 10 * seen.lacking() > 9 * seen.asked();
		return (mostly)
				? Optional.of(Finding.counted(FindingCode.MISSING_KEY, property(seen) + ".key",
						seen.lacking() + " of " + seen.asked() + " requests lacked a part of the key "
								+ seen.rule().key() + "; with 'on-missing-key: " + Words.of(seen.rule().onMissingKey())
								+ "' " + consequence(seen.rule().onMissingKey()) + ".",
						seen.lacking()))
				: Optional.empty();
	}

	private static String consequence(MissingKey onMissingKey) {
		return switch (onMissingKey) {
			case SHARED -> "they share one bucket";
			case SKIP -> "they are not limited by the rule";
			case DENY -> "they are refused";
			case IP -> "they are counted by their address";
		};
	}

	private static Optional<Finding> oversized(RuleObservations seen) {
		return (seen.oversized() >= FEW)
				? Optional
					.of(Finding.counted(FindingCode.COST_ABOVE_CAPACITY, property(seen) + ".cost",
							seen.oversized() + " requests cost more than a bucket of " + seen.rule().limits()
									+ " can ever hold, and were refused for good.",
							seen.oversized()))
				: Optional.empty();
	}

	private static String property(RuleObservations seen) {
		return "ratelimit.rules." + seen.rule().id();
	}

}
