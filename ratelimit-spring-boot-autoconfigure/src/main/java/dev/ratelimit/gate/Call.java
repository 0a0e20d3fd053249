package dev.ratelimit.gate;

import java.util.Optional;

import dev.ratelimit.address.IpAddress;
import dev.ratelimit.engine.WaitingPlaces;
import org.jspecify.annotations.Nullable;

/**
 * Internal: a call that a front passes through the gate, such as an HTTP request or a
 * call of a method. Its values are untrusted input. A front with more properties has its
 * own subtype, which the functions of its rules read.
 */
public interface Call {

	/**
	 * Name of the attribute with the observation that the call is part of, if the thread
	 * does not have it. It is the key of Reactor's context.
	 */
	String OBSERVATION = "micrometer.observation";

	/**
	 * The address that the access lists of rules check.
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

	/**
	 * Whether the address belongs to one client: it is neither unknown nor the address of
	 * a proxy.
	 * @return whether a client can be banned by its address
	 */
	default boolean hasAddressOfItsOwn() {
		return address().isKnown();
	}

	/**
	 * Whether a page of another site makes the client send this call.
	 * @return whether the client may send the call without its user's knowledge
	 */
	default boolean isCrossSite() {
		return false;
	}

	/**
	 * The places, one of which the call occupies while it waits for its turn.
	 * @return the places; empty if the call waits without a thread
	 */
	default Optional<WaitingPlaces> waitingPlaces() {
		return Optional.empty();
	}

	/**
	 * An attribute of the call that was set before the gate.
	 * @param name its name
	 * @return its value; null if there is none
	 */
	default @Nullable Object attribute(String name) {
		return null;
	}

}
