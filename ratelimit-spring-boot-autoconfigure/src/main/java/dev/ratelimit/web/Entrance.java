package dev.ratelimit.web;

import dev.ratelimit.address.IpNetworks;
import dev.ratelimit.web.request.GateRequest;

import org.springframework.http.HttpHeaders;

/**
 * Internal: the first stage of the gate: requests that no rule sees, because they are
 * exempt, or because their address is denied. Immutable.
 *
 * @param exemptions what is never counted
 * @param denied the addresses that are rejected under all rules
 */
public record Entrance(Exemptions exemptions, IpNetworks denied) {

	/**
	 * Whether a request is counted by no rule at all.
	 * @param request the request
	 * @return whether it is exempt
	 */
	public boolean isExempt(GateRequest request) {
		return request.management() || isPreflight(request) || this.exemptions.covers(request);
	}

	/**
	 * Whether a request is rejected whatever rules apply.
	 * @param request the request
	 * @return whether its address is on the list of all rules, and it does not ask for
	 * health
	 */
	public boolean isDenied(GateRequest request) {
		return deniesAny() && this.denied.contains(request.address()) && !request.management()
				&& !this.exemptions.coversHealth(request);
	}

	boolean deniesAny() {
		return !this.denied.isEmpty();
	}

	private static boolean isPreflight(GateRequest request) {
		return request.method().equals("OPTIONS") && !request.headers(HttpHeaders.ORIGIN).isEmpty()
				&& !request.headers(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD).isEmpty();
	}

}
