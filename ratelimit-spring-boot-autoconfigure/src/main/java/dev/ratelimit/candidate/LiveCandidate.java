package dev.ratelimit.candidate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.live.EffectiveRules;
import dev.ratelimit.live.LiveThread;
import dev.ratelimit.live.RuleDiff;
import dev.ratelimit.live.RuleSourceException;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Internal: compares the candidate of all instances with the active rules of this
 * instance, while the active rules are the version that the candidate is based on.
 * Thread-safe.
 */
public final class LiveCandidate implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(LiveCandidate.class);

	private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);

	private final CandidateStore store;

	private final EffectiveRules rules;

	private final RateLimitEngine engine;

	private final LimitStore charges;

	private final LiveThread thread;

	private final Upkeep upkeep;

	private final Time time;

	private final List<Consumer<Optional<ComparedCandidate>>> followers = new CopyOnWriteArrayList<>();

	private Optional<Upkeep.Task> beat = Optional.empty();

	/** Read by threads that hold the lock of the editions. */
	private volatile Optional<CandidateDocument> document = Optional.empty();

	private CandidateCounts counts = new CandidateCounts();

	private Optional<String> rejected = Optional.empty();

	private volatile Optional<ComparedCandidate> compared = Optional.empty();

	private boolean running;

	/**
	 * Create an instance without a candidate.
	 * @param store the store of the candidate
	 * @param rules the rules, which compile a candidate together with the rules of the
	 * application
	 * @param engine the engine, which makes decisions by the active rules
	 * @param charges the store of the buckets of candidates
	 * @param thread the thread on which candidates start and end
	 * @param upkeep adds counts to the store periodically
	 * @param time the clock of the charges
	 */
	LiveCandidate(CandidateStore store, EffectiveRules rules, RateLimitEngine engine, LimitStore charges,
			LiveThread thread, Upkeep upkeep, Time time) {
		this.store = store;
		this.rules = rules;
		this.engine = engine;
		this.charges = charges;
		this.thread = thread;
		this.upkeep = upkeep;
		this.time = time;
		engine.editions().addListener((edition) -> rulesChanged());
	}

	/** Start to read the store. */
	@Override
	public synchronized void start() {
		if (!this.running) {
			this.running = true;
			this.store.start((next) -> this.thread.run(() -> follow(next)));
		}
	}

	/** Stop to read the store and to compare. */
	@Override
	public synchronized void stop() {
		if (this.running) {
			this.running = false;
			this.store.close();
			follow(Optional.empty());
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.running;
	}

	private synchronized void follow(Optional<CandidateDocument> next) {
		this.beat.ifPresent(Upkeep.Task::close);
		this.beat = next.map((present) -> this.upkeep.start(HEARTBEAT_INTERVAL, HEARTBEAT_INTERVAL,
				"Failed to count a candidate", this::addUp));
		this.document = next;
		this.counts = new CandidateCounts();
		this.rejected = Optional.empty();
		compare();
	}

	// Runs on another thread, because the calling thread is still activating the edition.
	private void rulesChanged() {
		if (this.document.isPresent()) {
			this.thread.run(this::compareAgain);
		}
	}

	private synchronized void compareAgain() {
		if (this.document.isPresent()) {
			compare();
		}
	}

	private void compare() {
		Optional<ComparedCandidate> next = this.document.flatMap(this::prepared);
		this.engine.compareWith(next.map((ready) -> new ChargedTrial(ready.rules(), ready.counts(), this.charges,
				this.engine.deadline(), this.time))
			.orElse(null));
		logChange(this.compared.map((before) -> before.document().version()), next);
		this.compared = next;
		this.followers.forEach((follower) -> follower.accept(next));
	}

	private Optional<ComparedCandidate> prepared(CandidateDocument candidate) {
		try {
			CandidateCounts counting = this.counts;
			return this.rules.beside(candidate.document(), candidate.base(), candidate.prefix())
				.map((beside) -> new ComparedCandidate(candidate, CandidateRules.of(beside), counting));
		}
		catch (InvalidRuleException ex) {
			reject(candidate, ex.getMessage() + ". " + ex.action());
		}
		catch (RuntimeException ex) {
			reject(candidate, String.valueOf(ex.getMessage()));
		}
		return Optional.empty();
	}

	private void reject(CandidateDocument candidate, String reason) {
		if (this.rejected.isEmpty()) {
			logger.warn("The candidate " + candidate.version() + " is not compared here: " + reason);
		}
		this.rejected = Optional.of(reason);
	}

	private static void logChange(Optional<Long> before, Optional<ComparedCandidate> next) {
		Optional<Long> after = next.map((ready) -> ready.document().version());
		if (!before.equals(after)) {
			before.ifPresent((version) -> logger.info("The candidate " + version + " is no longer compared"));
			next.ifPresent((ready) -> logger.info("The candidate " + ready.document().version() + " by "
					+ ready.document().user() + " is compared with version " + ready.document().base() + ": "
					+ RuleDiff.line(ready.changes())));
		}
	}

	// Counts that do not reach the store are not sent again, so that they are not counted
	// twice. The sums are lower bounds.
	private void addUp() {
		try {
			addCounts();
		}
		catch (RuleSourceException ex) {
			logger.debug("Failed to add up the counts of the candidate", ex);
		}
	}

	private void addCounts() {
		Optional<ComparedCandidate> present = this.compared;
		if (present.isPresent()) {
			Map<String, Map<String, Long>> news = present.get().counts().drain();
			if (!news.isEmpty()) {
				this.store.add(present.get().document().version(), news);
			}
		}
	}

	/**
	 * Return the report on the candidate. Blocks.
	 * @return the report; empty if there is no candidate
	 * @throws RuleSourceException if the store is unavailable
	 */
	public Optional<CandidateReport> report() {
		addCounts();
		return this.store.read().map(this::report);
	}

	private CandidateReport report(CandidateStore.Counted counted) {
		return this.compared.filter((present) -> present.document().version() == counted.document().version())
			.map((present) -> new CandidateReport(present.document(), present.settled(this.store.nowMillis()),
					present.changes(), present.complete(counted.counts()), Optional.empty()))
			.orElseGet(() -> new CandidateReport(counted.document(), false, List.of(), counted.counts(), rejection()));
	}

	private synchronized Optional<String> rejection() {
		return this.rejected;
	}

	/**
	 * Notify a follower now, and whenever the compared candidate changes or ends.
	 * @param follower receives the compared candidate; empty if there is none
	 */
	void addFollower(Consumer<Optional<ComparedCandidate>> follower) {
		this.followers.add(follower);
		follower.accept(this.compared);
	}

}
