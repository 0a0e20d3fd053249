package dev.ratelimit.live;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Makes the documents of a source active, one after the other. Each document is prepared
 * when it is read, and becomes active at its time. Invalid documents are rejected.
 * Thread-safe.
 */
final class RuleAdoption {

	private static final Log logger = LogFactory.getLog(RuleAdoption.class);

	/** The maximum delay of a version, in case the clock was changed. */
	private static final long MAX_WAIT_MILLIS = 10_000;

	/**
	 * The maximum number of waiting documents; normally, documents become active faster
	 * than new ones arrive.
	 */
	private static final int MAX_WAITING = 4;

	private final RuleSource source;

	private final EffectiveRules rules;

	private final LiveThread thread;

	private final Time time;

	private final Consumer<Adopted> adopted;

	private final Runnable onRejection;

	private final Deque<Offered> waiting = new ArrayDeque<>();

	private final AtomicLong rejections = new AtomicLong();

	private Optional<PreparedRules> pending = Optional.empty();

	private volatile Optional<Rejected> rejected = Optional.empty();

	RuleAdoption(RuleSource source, EffectiveRules rules, LiveThread thread, Time time, Consumer<Adopted> adopted,
			Runnable onRejection) {
		this.source = source;
		this.rules = rules;
		this.thread = thread;
		this.time = time;
		this.adopted = adopted;
		this.onRejection = onRejection;
	}

	/**
	 * Offer a document.
	 * @param document the document
	 * @param activate whether to wait for its time
	 * @return whether it is or will become active
	 */
	boolean offer(RuleDocument document, boolean activate) {
		return offer(document, DocumentHistory.NONE, activate);
	}

	/**
	 * Offer a document that may have been active on other instances for some time.
	 * @param document the document
	 * @param history the documents that were active before it
	 * @param activate whether to wait for its time
	 * @return whether it is or will become active
	 */
	synchronized boolean offer(RuleDocument document, DocumentHistory history, boolean activate) {
		if (this.pending.isPresent()) {
			if (this.waiting.size() == MAX_WAITING) {
				this.waiting.removeFirst();
			}
			this.waiting.add(new Offered(document, history));
			return true;
		}
		return isKnown(document) || prepare(document, history, activate);
	}

	/**
	 * Return the newest version that is or will become active.
	 * @return the version; 0 if there is none
	 */
	synchronized long newest() {
		Optional<Long> next = Optional.ofNullable(this.waiting.peekLast()).map((last) -> last.document().version());
		return next.or(() -> this.pending.map(PreparedRules::version))
			.or(() -> this.rules.document().map(RuleDocument::version))
			.orElse(0L);
	}

	private boolean isKnown(RuleDocument document) {
		Optional<RuleDocument> active = this.rules.document();
		boolean same = active.filter((current) -> current.version() == document.version())
			.filter((current) -> current.digest().equals(document.digest()))
			.isPresent();
		// Versions of read-only sources, such as the time of a file, may decrease.
		boolean ordered = this.source instanceof WritableRuleSource;
		boolean older = ordered && active.filter((current) -> current.version() > document.version()).isPresent();
		if (same) {
			this.rejected = Optional.empty();
		}
		if (older) {
			reject(document.version(), "it is older than the active one");
		}
		return same || older;
	}

	private boolean prepare(RuleDocument document, DocumentHistory history, boolean activate) {
		long readNanos = this.time.nanos();
		PreparedRules prepared;
		try {
			prepared = this.rules.prepare(this.source.name(), document, history);
		}
		catch (InvalidRuleException ex) {
			reject(document.version(), ex.getMessage() + ". " + ex.action());
			return false;
		}
		catch (RuntimeException ex) {
			reject(document.version(), String.valueOf(ex.getMessage()));
			return false;
		}
		long waitMillis = (activate) ? waitMillis(document.activateAtMillis()) : 0;
		if (waitMillis <= 0) {
			return commit(prepared, (activate) ? readNanos : this.time.nanos());
		}
		this.pending = Optional.of(prepared);
		long dueNanos = this.time.nanos() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
		this.thread.later(Duration.ofMillis(waitMillis), () -> commitPending(dueNanos));
		return true;
	}

	private long waitMillis(OptionalLong at) {
		OptionalLong now = this.source.nowMillis();
		return (at.isEmpty() || now.isEmpty()) ? 0 : Math.min(at.getAsLong() - now.getAsLong(), MAX_WAIT_MILLIS);
	}

	private synchronized void commitPending(long dueNanos) {
		Optional<PreparedRules> due = this.pending;
		this.pending = Optional.empty();
		due.ifPresent((prepared) -> commit(prepared, dueNanos));
		while (this.pending.isEmpty() && !this.waiting.isEmpty()) {
			Offered next = this.waiting.removeFirst();
			offer(next.document(), next.history(), true);
		}
	}

	private boolean commit(PreparedRules prepared, long dueNanos) {
		List<RuleChange> changes = RuleDiff.between(this.rules.written(), prepared.edition().rules().rules());
		try {
			this.rules.commit(prepared);
		}
		catch (InvalidRuleException ex) {
			reject(prepared.version(), String.valueOf(ex.getMessage()));
			return false;
		}
		// A later version may have been rejected while this one waited for its time.
		this.rejected = this.rejected
			.filter((other) -> this.source instanceof WritableRuleSource && other.version() > prepared.version());
		logger.info("Version " + prepared.version() + " of the rules in " + this.source.name() + " is active: "
				+ RuleDiff.line(changes));
		prepared.rules().notApplied().forEach((entry) -> logger.warn("Not applied: " + entry));
		prepared.live()
			.map(LiveLayer::document)
			.ifPresent((document) -> this.adopted
				.accept(new Adopted(document, changes, TimeUnit.NANOSECONDS.toMillis(this.time.nanos() - dueNanos))));
		return true;
	}

	/**
	 * Make another document active in place of the newest one, which stays rejected.
	 * @param fallback activates the other document, and returns whether there is one
	 * @return whether there is one
	 */
	boolean inPlaceOfRejected(BooleanSupplier fallback) {
		Optional<Rejected> newest = this.rejected;
		boolean adopted = fallback.getAsBoolean();
		OptionalLong version = version();
		synchronized (this) {
			// Skipped if the source has offered another document meanwhile.
			if (adopted && this.rejected.isEmpty() && version.equals(version())) {
				this.rejected = newest;
			}
		}
		return adopted;
	}

	private OptionalLong version() {
		return this.rules.document().stream().mapToLong(RuleDocument::version).findFirst();
	}

	/**
	 * Reject a version of the source.
	 * @param version the version; 0 if the content has none
	 * @param reason the reason
	 */
	synchronized void reject(long version, String reason) {
		Rejected next = new Rejected(version, reason);
		if (this.rejected.filter(next::equals).isPresent()) {
			return;
		}
		this.rejected = Optional.of(next);
		this.rejections.incrementAndGet();
		String what = (version > 0) ? "Version " + version + " of the rules in " : "The rules in ";
		String stays = this.rules.document()
			.map((active) -> "version " + active.version() + " stays active: ")
			.orElse("the rules of the application stay active: ");
		logger.warn(what + this.source.name() + ((version > 0) ? " was" : " were") + " rejected, " + stays + reason);
		this.onRejection.run();
	}

	/**
	 * Discard the pending documents, because the instance no longer follows the source.
	 */
	synchronized void stop() {
		this.pending = Optional.empty();
		this.waiting.clear();
	}

	Optional<Rejected> rejected() {
		return this.rejected;
	}

	long rejections() {
		return this.rejections.get();
	}

	private record Offered(RuleDocument document, DocumentHistory history) {
	}

	/**
	 * A rejected version.
	 *
	 * @param version the version; 0 if the source has none
	 * @param reason the reason
	 */
	record Rejected(long version, String reason) {
	}

	/**
	 * A document that has become active.
	 *
	 * @param document the document
	 * @param changes the changes
	 * @param lagMillis the delay of the activation, in milliseconds
	 */
	record Adopted(RuleDocument document, List<RuleChange> changes, long lagMillis) {
	}

}
