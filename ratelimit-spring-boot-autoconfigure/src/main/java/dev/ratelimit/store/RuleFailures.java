package dev.ratelimit.store;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: rules whose scripts the store rejects, while it may run those of other rules.
 * A failure of the self-test lasts until the self-test passes. A failure of requests
 * only, such as a key of the wrong type, lasts for one minute after the last such
 * request. Each rule is logged once when it begins to fail. Thread-safe.
 */
public final class RuleFailures {

	private static final Log logger = LogFactory.getLog(RuleFailures.class);

	private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final Time time;

	private final Map<String, Failure> failures = new ConcurrentHashMap<>();

	private volatile Set<String> rules = Set.of();

	private volatile Runnable onRequestFailure = () -> {
	};

	/**
	 * Create without any failures.
	 * @param time the time
	 */
	public RuleFailures(Time time) {
		this.time = time;
	}

	/**
	 * Set the active rules. Failures of other rules are forgotten.
	 * @param ids the ids of all active rules that have limits
	 */
	public void use(Collection<String> ids) {
		this.rules = Set.copyOf(ids);
		this.failures.keySet().retainAll(this.rules);
	}

	/**
	 * Set the action for the case that requests of a rule begin to fail.
	 * @param action the action, which must not block
	 */
	public void onRequestFailure(Runnable action) {
		this.onRequestFailure = action;
	}

	/**
	 * Record that the store rejected a request. If one of its rules is known to fail,
	 * only that rule is considered to be the cause.
	 * @param request the request
	 * @param failure a permanent failure
	 */
	public void requestFailed(AcquireRequest request, StoreException failure) {
		Set<String> requested = request.charges()
			.stream()
			.map((charge) -> charge.bucket().family().policy().ruleId())
			.filter(this.rules::contains)
			.collect(Collectors.toSet());
		Set<String> failing = requested.stream().filter((id) -> current(id) != null).collect(Collectors.toSet());
		for (String id : (failing.isEmpty()) ? requested : failing) {
			record(id, failure, false);
		}
		if (failing.isEmpty() && !requested.isEmpty()) {
			this.onRequestFailure.run();
		}
	}

	/**
	 * Record the results of the self-test.
	 * @param results the failure of each rule's scripts, or empty if they passed
	 */
	public void tested(Map<String, Optional<StoreException>> results) {
		boolean found = results.values().stream().anyMatch(Optional::isPresent);
		results.forEach((id, result) -> result.ifPresentOrElse((failure) -> record(id, failure, true),
				() -> passed(id, found)));
	}

	// If another rule fails the test, it is the cause of the failed requests of this
	// rule.
	private void passed(String id, boolean otherFails) {
		Failure failure = this.failures.get(id);
		if (failure != null && (failure.tested || otherFails)) {
			this.failures.remove(id);
			logger.info("Rule '" + id + "' is available again");
		}
	}

	private void record(String id, StoreException failure, boolean tested) {
		Failure before = current(id);
		long nowNanos = this.time.nanos();
		String words = failure.kind().name().toLowerCase(Locale.ROOT) + ": " + failure.getMessage();
		this.failures.merge(id, new Failure(words, tested, nowNanos),
				(present, next) -> (present.tested) ? new Failure(present.words, true, nowNanos) : next);
		if (before == null) {
			logger.error("Rule '" + id + "' failed with a non-transient error (" + words
					+ "); its failure policy applies until it is fixed");
		}
	}

	private @Nullable Failure current(String id) {
		Failure failure = this.failures.get(id);
		return (failure != null && (failure.tested || this.time.nanos() - failure.atNanos < REMEMBERED_NANOS)) ? failure
				: null;
	}

	/**
	 * Return the rules that fail.
	 * @return kind and message of the failure by rule
	 */
	public Map<String, String> current() {
		Map<String, String> current = new TreeMap<>();
		for (String id : this.failures.keySet()) {
			Failure failure = current(id);
			if (failure != null) {
				current.put(id, failure.words);
			}
		}
		return current;
	}

	/**
	 * Whether all rules fail.
	 * @return whether there are rules, and all of them fail
	 */
	public boolean total() {
		return !this.rules.isEmpty() && current().keySet().containsAll(this.rules);
	}

	private record Failure(String words, boolean tested, long atNanos) {
	}

}
