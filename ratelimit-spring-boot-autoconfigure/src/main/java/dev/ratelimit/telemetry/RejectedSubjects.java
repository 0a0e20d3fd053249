package dev.ratelimit.telemetry;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.Decision;
import dev.ratelimit.Outcome;
import dev.ratelimit.Verdict;
import dev.ratelimit.engine.AppliedRule;
import dev.ratelimit.engine.DecisionObserver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts the subjects that this instance rejects most often, in windows, and adds the
 * largest counts of each window to the sums of all instances. Rejections without a count
 * are counted as missed. Thread-safe.
 */
final class RejectedSubjects implements DecisionObserver {

	/** The length of a window. */
	static final Duration WINDOW = Duration.ofSeconds(10);

	/** The maximum number of subjects of a window that are added to the sums. */
	static final int MAX_SUBJECTS = 200;

	private static final Log logger = LogFactory.getLog(RejectedSubjects.class);

	private final TopStore store;

	private final SubjectNaming naming;

	private final InstantSource clock;

	private final LongAdder missed = new LongAdder();

	private volatile DenialWindow window = new DenialWindow();

	/**
	 * Create an observer with its first window.
	 * @param store the sums
	 * @param naming the names of subjects
	 * @param clock the clock, for the minutes of the sums
	 */
	RejectedSubjects(TopStore store, SubjectNaming naming, InstantSource clock) {
		this.store = store;
		this.naming = naming;
		this.clock = clock;
	}

	@Override
	public boolean observesAllowed() {
		return false;
	}

	@Override
	public boolean observesTime() {
		return false;
	}

	@Override
	public void decided(List<AppliedRule> uses, Decision decision, long startNanos, long tookNanos) {
		// No iterator, because this code runs for each rejection and should not allocate
		// objects.
		for (int i = 0; i < uses.size(); i++) {
			AppliedRule use = uses.get(i);
			if (!use.exempt() && isRejected(use.rule().rule().id(), decision.verdicts())
					&& !this.window.tryAdd(use.rule().rule().id(), use.subject())) {
				this.missed.increment();
			}
		}
	}

	// Rejections by a failure policy are not counted, because they do not depend on the
	// client.
	private static boolean isRejected(String rule, List<Verdict> verdicts) {
		for (int i = 0; i < verdicts.size(); i++) {
			Verdict verdict = verdicts.get(i);
			if (isByLimit(verdict.outcome()) && verdict.cost() > 0 && verdict.policy().ruleId().equals(rule)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isByLimit(Outcome outcome) {
		return outcome == Outcome.REJECTED || outcome == Outcome.BLOCKED || outcome == Outcome.QUEUE_FULL
				|| outcome == Outcome.WAITED_OUT;
	}

	/**
	 * Return a finder of the subjects in the sums.
	 * @return the finder
	 */
	TopSubjects top() {
		return new TopSubjects(this.store, this.naming, this.clock);
	}

	/**
	 * End the window, and add its largest counts to the sums. Does not block.
	 * @return a future that completes when the counts have been added
	 */
	CompletableFuture<Void> flush() {
		DenialWindow ended = this.window;
		this.window = new DenialWindow();
		List<RejectedSubject> top = ended.close(MAX_SUBJECTS);
		long before = this.missed.sumThenReset();
		if (top.isEmpty() && before == 0) {
			return CompletableFuture.completedFuture(null);
		}
		long minute = TimeUnit.MILLISECONDS.toMinutes(this.clock.millis());
		return this.naming.agreed()
			.thenCompose((names) -> this.store.add(minute, counts(top, before, names)))
			.exceptionally((failure) -> {
				logger.debug("Failed to add rejected subjects to those of all instances", failure);
				this.missed.add(before + top.stream().mapToLong(RejectedSubject::atLeast).sum());
				return null;
			});
	}

	private static Map<String, Long> counts(List<RejectedSubject> top, long missed, SubjectNames names) {
		Map<String, Long> counts = new HashMap<>();
		top.forEach((found) -> counts.merge(new RuleSubject(found.rule(), names.of(found.subject())).text(),
				found.atLeast(), Long::sum));
		if (missed > 0) {
			counts.put(TopStore.MISSED, missed);
		}
		return counts;
	}

}
