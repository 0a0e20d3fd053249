package dev.ratelimit.load;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.base.Check;
import dev.ratelimit.base.Finding;
import dev.ratelimit.base.FindingCode;
import dev.ratelimit.web.LevelHeaderCounts;

/**
 * Internal: reports peers whose header with the level of requests should not be trusted,
 * and headers that are ignored.
 *
 * @param header the header
 * @param upstreams addresses and networks of the trusted peers, as written
 * @param local the trusted peers with addresses of this host
 * @param counts the number of requests with the header
 */
public record LevelHeaderCheck(String header, List<String> upstreams, List<String> local,
		LevelHeaderCounts counts) implements Check {

	private static final String UPSTREAMS = "ratelimit.load.trusted-upstreams";

	/** Fewer requests can be attempts of a single client. */
	private static final int MIN_IGNORED = 10;

	public LevelHeaderCheck {
		upstreams = List.copyOf(upstreams);
		local = List.copyOf(local);
	}

	@Override
	public List<Finding> findings() {
		List<Finding> findings = new ArrayList<>();
		List<String> allAddresses = this.upstreams.stream().filter((network) -> network.matches(".*/0+")).toList();
		if (!allAddresses.isEmpty()) {
			findings.add(finding(allAddresses + " contains all addresses: any client can call itself critical."));
		}
		else {
			addSidecar(findings);
		}
		long ignored = this.counts.ignored();
		if (ignored >= MIN_IGNORED && ignored > this.counts.believed()) {
			findings.add(finding(ignored + " requests with the header '" + this.header
					+ "' came from peers that are not trusted, and " + this.counts.believed()
					+ " from others. The level of the former was ignored."));
		}
		return findings;
	}

	// All requests through a sidecar come from a local address, including those of
	// clients.
	private void addSidecar(List<Finding> findings) {
		if (!this.local.isEmpty() && this.counts.believed() > 0) {
			findings.add(finding("All that a sidecar passes on comes from " + this.local
					+ ", also the requests of clients. It must set or remove the header '" + this.header + "'."));
		}
	}

	private static Finding finding(String detail) {
		return new Finding(FindingCode.UNTRUSTED_LEVELS, UPSTREAMS, detail);
	}

}
