package dev.ratelimit.web;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import dev.ratelimit.address.IpAddress;
import dev.ratelimit.address.IpNetworks;

import org.springframework.http.HttpHeaders;

/**
 * Internal: the first stage of the gate, which decides whether rules count a request, and
 * whether its address is denied. Requests that may contain credentials are counted,
 * because authentication checks credentials in all requests. Immutable.
 */
public final class Exemptions {

	private final ManagementPaths management;

	private final IpNetworks denied;

	private final Set<String> preflightHeaders = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

	/**
	 * Create exemptions and denied addresses.
	 * @param management the paths that management serves
	 * @param denied the addresses that are rejected under all rules
	 * @param preflightHeaders the headers that exempt preflights may have even if keys
	 * read them
	 */
	Exemptions(ManagementPaths management, IpNetworks denied, Collection<String> preflightHeaders) {
		this.management = management;
		this.denied = denied;
		this.preflightHeaders.addAll(preflightHeaders);
	}

	/**
	 * Return the kind of a request, before its rules are known.
	 * @param request the request
	 * @return the kind; a preflight is exempt only if the keys of the matching rules read
	 * {@linkplain #isKeyed none of its headers}
	 */
	Entry entry(GateRequest request) {
		if (request.management()) {
			return Entry.MANAGEMENT_PORT;
		}
		if (this.management.covers(request)) {
			boolean credentials = has(request, HttpHeaders.AUTHORIZATION);
			if (this.management.coversHealth(request)) {
				return (credentials) ? Entry.HEALTH_WITH_CREDENTIALS : Entry.HEALTH;
			}
			return (credentials) ? Entry.MANAGEMENT_WITH_CREDENTIALS : Entry.MANAGEMENT;
		}
		return (isPreflight(request)) ? Entry.PREFLIGHT : Entry.COUNTED;
	}

	/**
	 * Return the kind of a request.
	 * @param request the request
	 * @param matches the rules of all phases that match it
	 * @return the kind
	 */
	Entry entry(GateRequest request, List<MatchedRule> matches) {
		Entry entry = entry(request);
		return (entry == Entry.PREFLIGHT && isKeyed(request, matches)) ? Entry.COUNTED : entry;
	}

	/**
	 * Return whether the key of a rule reads a header of a preflight that browsers do not
	 * send with preflights.
	 * @param preflight the preflight
	 * @param matches the rules of all phases that match it
	 * @return whether the rules count it
	 */
	boolean isKeyed(GateRequest preflight, List<MatchedRule> matches) {
		for (int i = 0; i < matches.size(); i++) {
			if (matches.get(i).web().readsHeader(preflight, this.preflightHeaders)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return whether a request is rejected regardless of the rules.
	 * @param request the request
	 * @return whether its address is on the global deny list, and it is not a health
	 * check
	 */
	boolean isDenied(GateRequest request) {
		return deniesAny() && isDenied(request, entry(request));
	}

	boolean isDenied(GateRequest request, Entry entry) {
		return deniesAny() && denies(request.address()) && !entry.isFree();
	}

	/**
	 * Return whether an address is on the global deny list.
	 * @param address the address
	 * @return whether requests from it are rejected
	 */
	public boolean denies(IpAddress address) {
		return this.denied.contains(address);
	}

	boolean deniesAny() {
		return !this.denied.isEmpty();
	}

	// Browsers send no credentials and no content with a preflight.
	private static boolean isPreflight(GateRequest request) {
		return request.method().equals("OPTIONS") && has(request, HttpHeaders.ORIGIN)
				&& has(request, HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD) && !has(request, HttpHeaders.AUTHORIZATION)
				&& !has(request, HttpHeaders.PROXY_AUTHORIZATION) && !has(request, HttpHeaders.COOKIE)
				&& !has(request, HttpHeaders.TRANSFER_ENCODING) && isEmpty(request);
	}

	private static boolean isEmpty(GateRequest request) {
		for (String length : request.headers(HttpHeaders.CONTENT_LENGTH)) {
			if (!length.equals("0")) {
				return false;
			}
		}
		return true;
	}

	private static boolean has(GateRequest request, String name) {
		return !request.headers(name).isEmpty();
	}

}
