package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Upkeep;

/**
 * Runs the scripts of all active rules, in the background: at startup, when rules change,
 * and when requests under a rule begin to fail. Rounds repeat until every rule has
 * passed. Thread-safe.
 */
final class RuleSelfTest implements AutoCloseable {

	private final Consumer<ScriptUse> check;

	private final RuleFailures failures;

	private final Duration interval;

	private final Upkeep upkeep;

	/** Whether a round is due or running; rounds never overlap. */
	private final AtomicBoolean scheduled = new AtomicBoolean();

	/** Whether rules changed or failed since the running round started. */
	private volatile boolean wanted;

	private volatile boolean closed;

	private final CompletableFuture<Void> firstRound = new CompletableFuture<>();

	private volatile Map<String, Set<ScriptUse>> rules = Map.of();

	/**
	 * Create a self-test.
	 * @param check runs the scripts of one use, and throws the exception of a failed
	 * script
	 * @param failures records the failures
	 * @param interval the time between rounds
	 * @param upkeep runs the rounds
	 */
	RuleSelfTest(Consumer<ScriptUse> check, RuleFailures failures, Duration interval, Upkeep upkeep) {
		this.check = check;
		this.failures = failures;
		this.interval = interval;
		this.upkeep = upkeep;
		failures.onRequestFailure(this::request);
	}

	void follow(Collection<CompiledRule> active) {
		Map<String, Set<ScriptUse>> uses = new TreeMap<>();
		for (CompiledRule rule : active) {
			Set<ScriptUse> scripts = rule.scripts();
			if (!scripts.isEmpty()) {
				uses.put(rule.rule().id(), scripts);
			}
		}
		this.rules = uses;
		this.failures.use(uses.keySet());
		if (!uses.isEmpty()) {
			request();
		}
	}

	// Completed when the rules have been tested once, or if there are no rules to test.
	CompletableFuture<Void> firstRound() {
		return (this.rules.isEmpty()) ? CompletableFuture.completedFuture(null) : this.firstRound;
	}

	private void request() {
		this.wanted = true;
		if (this.scheduled.compareAndSet(false, true)) {
			schedule(Duration.ZERO);
		}
	}

	private void schedule(Duration delay) {
		this.upkeep.once(delay, "The self-test of the rules failed", this::round);
	}

	private void round() {
		if (this.closed) {
			return;
		}
		this.wanted = false;
		boolean passed = false;
		try {
			passed = test(this.rules);
		}
		finally {
			this.firstRound.complete(null);
			goOn(passed);
		}
	}

	private void goOn(boolean passed) {
		if (!passed) {
			schedule((this.wanted) ? Duration.ZERO : this.interval);
			return;
		}
		this.scheduled.set(false);
		if (this.wanted) {
			request();
		}
	}

	private boolean test(Map<String, Set<ScriptUse>> active) {
		Map<ScriptUse, StoreException> failed = failed(active.values());
		if (this.closed) {
			return true;
		}
		Map<String, Optional<StoreException>> tested = new TreeMap<>();
		active.forEach((id, uses) -> {
			Optional<StoreException> failure = uses.stream().map(failed::get).filter(Objects::nonNull).findFirst();
			// If the store is unavailable, the result of the rule is unknown.
			if (failure.filter((cause) -> !cause.kind().isPermanent()).isEmpty()) {
				tested.put(id, failure);
			}
		});
		this.failures.tested(tested);
		return failed.isEmpty();
	}

	private Map<ScriptUse, StoreException> failed(Collection<Set<ScriptUse>> active) {
		Map<ScriptUse, StoreException> failed = new HashMap<>();
		Optional<StoreException> unavailable = Optional.empty();
		for (ScriptUse use : active.stream().flatMap(Set::stream).distinct().toList()) {
			Optional<StoreException> result = (unavailable.isPresent()) ? unavailable : tried(use);
			result.ifPresent((failure) -> failed.put(use, failure));
			unavailable = result.filter((failure) -> !failure.kind().isPermanent());
		}
		return failed;
	}

	private Optional<StoreException> tried(ScriptUse use) {
		try {
			this.check.accept(use);
			return Optional.empty();
		}
		catch (StoreException ex) {
			return Optional.of(ex);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.firstRound.complete(null);
	}

}
