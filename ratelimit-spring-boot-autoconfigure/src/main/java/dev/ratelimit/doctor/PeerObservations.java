package dev.ratelimit.doctor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

import dev.ratelimit.web.GateRequest;
import org.jspecify.annotations.Nullable;

/**
 * Internal: the peers of sampled requests. Holds one address at a time, and no user.
 * Thread-safe.
 */
public final class PeerObservations {

	private static final List<String> FORWARDED = List.of("X-Forwarded-For", "Forwarded");

	private final LongAdder requests = new LongAdder();

	private final LongAdder forwarded = new LongAdder();

	private final LongAdder untrusted = new LongAdder();

	private final Predicate<GateRequest> trusted;

	private volatile @Nullable String first;

	private volatile boolean several;

	PeerObservations(Predicate<GateRequest> trusted) {
		this.trusted = trusted;
	}

	/**
	 * Return the number of sampled requests.
	 * @return the number
	 */
	public long requests() {
		return this.requests.sum();
	}

	/**
	 * Return the number of sampled requests with forwarded headers.
	 * @return the number
	 */
	long forwarded() {
		return this.forwarded.sum();
	}

	/**
	 * Return the number of sampled requests with forwarded headers that were not trusted.
	 * @return the number
	 */
	long untrusted() {
		return this.untrusted.sum();
	}

	/**
	 * Return the address that all sampled requests came from.
	 * @return the address as a key; empty if there were several, or none yet
	 */
	Optional<String> onlyAddress() {
		return (this.several) ? Optional.empty() : Optional.ofNullable(this.first);
	}

	void saw(GateRequest request) {
		this.requests.increment();
		if (hasForwarded(request)) {
			this.forwarded.increment();
			if (!this.trusted.test(request)) {
				this.untrusted.increment();
			}
		}
		if (!this.several) {
			sawAddress(request.client().key());
		}
	}

	private void sawAddress(String address) {
		String current = this.first;
		if (current == null) {
			this.first = address;
		}
		else if (!current.equals(address)) {
			this.several = true;
		}
	}

	private static boolean hasForwarded(GateRequest request) {
		for (String header : FORWARDED) {
			if (request.header(header).isPresent()) {
				return true;
			}
		}
		return false;
	}

}
