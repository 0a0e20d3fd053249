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
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.store.RuleFailures;
import dev.ratelimit.store.ScriptUse;
import dev.ratelimit.store.StoreException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Runs the scripts of all active rules, in the background: at startup, when rules change,
 * and when requests under a rule begin to fail. Rounds repeat until every rule has
 * passed. Thread-safe.
 */
final class RuleSelfTest implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(RuleSelfTest.class);

	private final Consumer<ScriptUse> check;

	private final RuleFailures failures;

	private final long intervalMillis;

	private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "ratelimit-self-test");
		thread.setDaemon(true);
		return thread;
	});

	private final AtomicBoolean scheduled = new AtomicBoolean();

	private final CompletableFuture<Void> firstRound = new CompletableFuture<>();

	private volatile Map<String, Set<ScriptUse>> rules = Map.of();

	/**
	 * A self-test.
	 * @param check runs the scripts of one use, and throws what they failed with
	 * @param failures where to record what fails
	 * @param interval the time between rounds
	 */
	RuleSelfTest(Consumer<ScriptUse> check, RuleFailures failures, Duration interval) {
		this.check = check;
		this.failures = failures;
		this.intervalMillis = interval.toMillis();
		failures.onRequestFailure(() -> schedule(0));
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
			schedule(0);
		}
	}

	// Completed when the rules have been tested once, or when there is nothing to test.
	CompletableFuture<Void> firstRound() {
		return (this.rules.isEmpty()) ? CompletableFuture.completedFuture(null) : this.firstRound;
	}

	private void schedule(long delayMillis) {
		if (!this.scheduled.compareAndSet(false, true)) {
			return;
		}
		try {
			this.thread.schedule(this::round, delayMillis, TimeUnit.MILLISECONDS);
		}
		catch (RejectedExecutionException ex) {
			logger.debug("Closed already", ex);
		}
	}

	private void round() {
		this.scheduled.set(false);
		boolean passed = false;
		try {
			passed = test(this.rules);
		}
		catch (RuntimeException ex) {
			logger.error("The self-test of the rules failed", ex);
		}
		this.firstRound.complete(null);
		if (!passed) {
			schedule(this.intervalMillis);
		}
	}

	// Whether every script has run.
	private boolean test(Map<String, Set<ScriptUse>> active) {
		Map<ScriptUse, StoreException> failed = failed(active.values());
		if (this.thread.isShutdown()) {
			return true;
		}
		Map<String, Optional<StoreException>> tested = new TreeMap<>();
		active.forEach((id, uses) -> {
			Optional<StoreException> failure = uses.stream().map(failed::get).filter(Objects::nonNull).findFirst();
			// A store that is unavailable says nothing of the rule.
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
		this.thread.shutdownNow();
		this.firstRound.complete(null);
	}

}
