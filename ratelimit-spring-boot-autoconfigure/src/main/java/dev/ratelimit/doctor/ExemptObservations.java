package dev.ratelimit.doctor;

import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.gate.Ending;
import dev.ratelimit.gate.RequestProgress;
import dev.ratelimit.web.Entry;
import dev.ratelimit.web.GateRequest;

import org.springframework.http.HttpHeaders;

/**
 * Observations of requests that not all rules count. They show whether another component
 * authenticates these requests with credentials that the gate does not evaluate.
 * Thread-safe.
 */
final class ExemptObservations {

	private static final int UNAUTHORIZED = 401;

	private final LongAdder principals = new LongAdder();

	private final LongAdder unauthorized = new LongAdder();

	private final LongAdder probes = new LongAdder();

	/**
	 * Return the number of requests that no rule counts and that had a principal from
	 * credentials other than a cookie.
	 * @return the number
	 */
	long principals() {
		return this.principals.sum();
	}

	/**
	 * Return the number of preflights that no rule counts and whose response had the
	 * status 401.
	 * @return the number
	 */
	long unauthorized() {
		return this.unauthorized.sum();
	}

	/**
	 * Return the number of requests for health with credentials.
	 * @return the number
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
	 * @param unauthorized counts preflights that were rejected for lack of authentication
	 */
	private record PreflightEnd(LongAdder unauthorized) implements Ending {

		@Override
		public void free(int status) {
			// A preflight holds no slots.
		}

		@Override
		public void settle(int status) {
			if (status == UNAUTHORIZED) {
				this.unauthorized.increment();
			}
		}

	}

}
