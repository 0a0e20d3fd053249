package dev.ratelimit.doctor;

import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.Entry;
import dev.ratelimit.web.GateRequest;

import org.springframework.http.HttpHeaders;

/**
 * What was seen of requests that not all rules count: whether something authenticates
 * them by credentials that the gate does not know. Thread-safe.
 */
final class ExemptObservations {

	private static final int UNAUTHORIZED = 401;

	private final LongAdder principals = new LongAdder();

	private final LongAdder unauthorized = new LongAdder();

	private final LongAdder probes = new LongAdder();

	/**
	 * How many requests that no rule counts had a principal, other than by a cookie.
	 * @return the count
	 */
	long principals() {
		return this.principals.sum();
	}

	/**
	 * How many preflights that no rule counts were answered with 401.
	 * @return the count
	 */
	long unauthorized() {
		return this.unauthorized.sum();
	}

	/**
	 * How many requests for health presented credentials.
	 * @return the count
	 */
	long probes() {
		return this.probes.sum();
	}

	RequestProgress arrived(Entry entry, RequestProgress progress) {
		if (entry == Entry.HEALTH_WITH_CREDENTIALS) {
			this.probes.increment();
		}
		return (entry == Entry.PREFLIGHT) ? progress.ending(new PreflightEnd(this.unauthorized)) : progress;
	}

	boolean observesPrincipal(Entry entry) {
		return entry.isExempt() && entry != Entry.MANAGEMENT_PORT;
	}

	void authenticated(Entry entry, GateRequest request) {
		if (observesPrincipal(entry) && request.principal().isPresent()
				&& request.headers(HttpHeaders.COOKIE).isEmpty()) {
			this.principals.increment();
		}
	}

	/**
	 * The end of a preflight.
	 *
	 * @param unauthorized counts those that something wanted to authenticate
	 */
	private record PreflightEnd(LongAdder unauthorized) implements Ending {

		@Override
		public void free(int status) {
			// Nothing is held.
		}

		@Override
		public void settle(int status) {
			if (status == UNAUTHORIZED) {
				this.unauthorized.increment();
			}
		}

	}

}
