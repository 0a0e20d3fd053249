package dev.ratelimit.doctor;

import java.util.List;

import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.rule.KeyPart;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.web.RuleObservations;

/**
 * Finds clients that cannot be told apart, where rules go by their addresses.
 *
 * @param observations what was seen of requests
 */
record PeerCheck(RequestObservations observations) implements Check {

	/** So few may be anybody's. */
	private static final long FEW = 10;

	/** So many would not be alike by chance. */
	private static final long MANY = 100;

	@Override
	public List<Finding> findings() {
		List<String> rules = byAddress();
		PeerObservations peers = this.observations.peers();
		if (rules.isEmpty()) {
			return List.of();
		}
		// Whoever has no proxy in front still gets such headers from some clients.
		if (peers.untrusted() >= FEW && 2 * peers.untrusted() >= peers.requests()) {
			return List.of(untrusted(rules, peers));
		}
		return (peers.requests() >= MANY && peers.onlyAddress().isPresent()) ? List.of(alike(rules, peers)) : List.of();
	}

	private static Finding untrusted(List<String> rules, PeerObservations peers) {
		return Finding.counted(FindingCode.UNTRUSTED_FORWARDING, "rules " + rules,
				peers.untrusted() + " of " + peers.requests()
						+ " sampled requests had X-Forwarded-For or Forwarded, which was ignored: all clients behind a"
						+ " proxy share one limit.",
				peers.untrusted());
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
			.filter(PeerCheck::isByAddress)
			.map(Rule::id)
			.toList();
	}

	private static boolean isByAddress(Rule rule) {
		return rule.key().writes(MissingKeyPolicy.IP) || rule.key()
			.parts()
			.stream()
			.anyMatch((part) -> part.kind() == KeyPart.Kind.IP || part.kind() == KeyPart.Kind.CALLER);
	}

}
