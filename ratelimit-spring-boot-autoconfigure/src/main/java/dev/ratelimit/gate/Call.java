package dev.ratelimit.gate;

import dev.ratelimit.address.IpAddress;

/**
 * Internal: what a front passes through the gate, such as an HTTP request or a call of a
 * method. What it says comes from outside. A front that has more to tell has a type of
 * its own, which its rules' functions read.
 */
public interface Call {

	/**
	 * The address that the rules' access lists look at.
	 * @return the client's address, the same at each call; unknown if there is none
	 */
	default IpAddress address() {
		return IpAddress.UNKNOWN;
	}

	/**
	 * The subject of a call without the key of a rule with {@code on-missing-key: ip}.
	 * @return the subject's part
	 * @throws IllegalStateException if the front has no addresses
	 */
	default String addressPart() {
		throw new IllegalStateException("a rule requires a client address, which this call does not have");
	}

}
