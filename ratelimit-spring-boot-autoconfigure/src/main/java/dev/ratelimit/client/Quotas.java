package dev.ratelimit.client;

import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.Decision;
import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.Reason;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;

/**
 * Quotas for the requests that this application sends. Pass them to a
 * {@link QuotaInterceptor} or a {@link QuotaFilter}. A request charges the first quota
 * that matches its URL, one unit for each attempt. If the server rejects a request with
 * status 429 or 503 and sends {@code Retry-After}, the rule is paused for all instances.
 * Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class Quotas {

	private static final Log logger = LogFactory.getLog(Quotas.class);

	private final RateLimiter limiter;

	private final List<Entry> entries;

	private final RetryTime time;

	private final OutboundListener listener;

	/**
	 * Create quotas.
	 * @param limiter charges the rules
	 * @param quotas the quotas; of those that match a URL, the first applies
	 */
	public Quotas(RateLimiter limiter, List<Quota> quotas) {
		this(limiter, quotas, RetryTime.system(), OutboundListener.NONE);
	}

	/**
	 * Create quotas.
	 * @param limiter charges the rules
	 * @param quotas the quotas; of those that match a URL, the first applies
	 * @param time the clock to use for dates in responses
	 * @param listener the listener to notify
	 */
	public Quotas(RateLimiter limiter, List<Quota> quotas, RetryTime time, OutboundListener listener) {
		this.limiter = limiter;
		this.entries = quotas.stream().flatMap(Entry::of).toList();
		this.time = time;
		this.listener = listener;
	}

	Optional<Quota> of(URI uri) {
		UrlPattern.Origin origin = UrlPattern.Origin.of(uri);
		String rawPath = uri.getRawPath();
		PathContainer path = PathContainer.parsePath((rawPath == null || rawPath.isEmpty()) ? "/" : rawPath);
		for (Entry entry : this.entries) {
			if (entry.pattern().matches(origin, path)) {
				return Optional.of(entry.quota());
			}
		}
		return Optional.empty();
	}

	void chargeBlocking(Quota quota) throws InterruptedIOException {
		long endNanos = this.time.nanoTime() + quota.maxWait().toNanos();
		while (true) {
			Decision decision = acquireBlocking(quota, left(endNanos));
			Optional<Duration> pause = pause(decision, endNanos);
			if (pause.isEmpty()) {
				require(quota, decision);
				return;
			}
			RequestAttempts.sleep(this.time, pause.get());
		}
	}

	private Decision acquireBlocking(Quota quota, Duration maxWait) throws InterruptedIOException {
		try {
			return this.limiter.acquireBlocking(quota.rule(), Quota.SUBJECT, 1, maxWait);
		}
		catch (IllegalStateException ex) {
			if (Thread.currentThread().isInterrupted()) {
				throw RequestAttempts.interrupted(ex);
			}
			throw ex;
		}
	}

	Mono<Void> charge(Quota quota) {
		return Mono.defer(() -> charge(quota, this.time.nanoTime() + quota.maxWait().toNanos()));
	}

	private Mono<Void> charge(Quota quota, long endNanos) {
		return this.limiter.acquire(quota.rule(), Quota.SUBJECT, 1, left(endNanos)).flatMap((decision) -> {
			Optional<Duration> pause = pause(decision, endNanos);
			if (pause.isEmpty()) {
				require(quota, decision);
				return Mono.empty();
			}
			return this.time.delay(pause.get()).then(Mono.defer(() -> charge(quota, endNanos)));
		});
	}

	private Duration left(long endNanos) {
		return Duration.ofNanos(Math.max(0, endNanos - this.time.nanoTime()));
	}

	// Returns the rest of a pause that ends within the maximum wait of the quota. The
	// limiter itself does not wait for the end of a pause.
	private Optional<Duration> pause(Decision decision, long endNanos) {
		return (decision.reason() != Reason.PAUSED) ? Optional.empty()
				: decision.retryAfter().filter((wait) -> wait.toNanos() > 0 && wait.compareTo(left(endNanos)) <= 0);
	}

	private void require(Quota quota, Decision decision) {
		this.listener.decided(quota, decision);
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision);
		}
	}

	// The pause is imposed asynchronously, so that the response does not wait for it.
	void received(Quota quota, int status, HttpHeaders headers) {
		if ((status != 429 && status != 503) || quota.maxPause().isZero()) {
			return;
		}
		RetryAfter.of(headers, this.time.now()).ifPresent((wait) -> {
			Duration pause = (wait.compareTo(quota.maxPause()) < 0) ? wait : quota.maxPause();
			this.listener.paused(quota, pause);
			this.limiter.pause(quota.rule(), Quota.SUBJECT, pause).subscribe((done) -> {
			}, (failure) -> logger.warn("Rule '" + quota.rule() + "' could not be paused for the quota '" + quota.name()
					+ "'; this instance and others go on sending", failure));
		});
	}

	/**
	 * A compiled pattern of a quota.
	 *
	 * @param quota the quota
	 * @param pattern the pattern
	 */
	private record Entry(Quota quota, UrlPattern pattern) {

		static Stream<Entry> of(Quota quota) {
			return quota.urls().stream().map((url) -> new Entry(quota, UrlPattern.parse(quota.name(), url)));
		}

	}

}
