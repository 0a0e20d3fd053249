package dev.ratelimit.live;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.store.Time;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Finds the document that an instance starts with: the newest document of the source, a
 * former one if the newest is rejected, or the document of the cache file. Thread-safe.
 */
final class FirstDocument {

	private static final Log logger = LogFactory.getLog(FirstDocument.class);

	private static final int FORMER = 4;

	private final RuleSource source;

	private final RuleAdoption adoption;

	private final SourceState state;

	private final Optional<RuleCache> cache;

	private final LiveSettings settings;

	private final FormerDocuments former;

	private volatile Outcome outcome = Outcome.NONE;

	private volatile boolean over;

	FirstDocument(RuleSource source, RuleAdoption adoption, SourceState state, Optional<RuleCache> cache,
			LiveSettings settings, Time time) {
		this.source = source;
		this.adoption = adoption;
		this.state = state;
		this.cache = cache;
		this.settings = settings;
		this.former = new FormerDocuments(source, time);
	}

	/** Pass the document that this instance applied before to the source. */
	void remember() {
		if (this.source instanceof WritableRuleSource writable) {
			this.cache.flatMap(RuleCache::read).ifPresent(writable::remember);
		}
	}

	// Before the first edition is active, a document becomes active immediately.
	void offer(RuleDocument document) {
		boolean usable = this.adoption.offer(document, history(document), this.over);
		this.outcome = (usable) ? Outcome.ADOPTED : Outcome.REJECTED;
	}

	// An instance that starts, or that could not read the source for a while, has missed
	// documents.
	private DocumentHistory history(RuleDocument document) {
		long applied = this.adoption.newest();
		boolean follows = this.over && document.version() <= applied + 1;
		return (follows) ? DocumentHistory.NONE : this.former.before(document, applied);
	}

	void absent() {
		this.outcome = Outcome.ABSENT;
	}

	void invalid(long version, String reason) {
		this.adoption.reject(version, reason);
		this.outcome = Outcome.REJECTED;
	}

	/** Called when the first edition is active. */
	void over() {
		this.over = true;
	}

	/**
	 * Wait for the source, and make a document active.
	 * @return false if the application must start with its own rules
	 */
	boolean adopt() {
		boolean responded = this.state.awaitFirst(this.settings.timeout().toMillis());
		return switch (this.outcome) {
			case ADOPTED -> true;
			case REJECTED -> this.adoption.inPlaceOfRejected(() -> adoptFormer() || adoptCached());
			case ABSENT -> adoptCached();
			case NONE -> adoptWithoutSource(this.state.trouble().orElse((responded) ? "no response" : "timeout"));
		};
	}

	private boolean adoptFormer() {
		if (!(this.source instanceof WritableRuleSource writable)) {
			return false;
		}
		try {
			return writable.history(FORMER)
				.stream()
				.skip(1)
				.map((version) -> writable.version(version.version()))
				.flatMap(Optional::stream)
				.filter((document) -> this.adoption.offer(document, history(document), false))
				.peek(writable::remember)
				.findFirst()
				.isPresent();
		}
		catch (RuleSourceException ex) {
			logger.warn("The former rules could not be read from " + this.source.name() + ": " + ex.getMessage());
			return false;
		}
	}

	private boolean adoptCached() {
		Optional<RuleDocument> cached = this.cache.flatMap(RuleCache::read);
		cached.ifPresent((document) -> logger.warn("Starting with version " + document.version()
				+ " of the rules, of the file 'ratelimit.live.cache-file'"));
		return cached.filter((document) -> this.adoption.offer(document, false)).isPresent();
	}

	private boolean adoptWithoutSource(String reason) {
		String message = "The rules could not be read from " + this.source.name() + ": " + reason;
		if (this.settings.onMissing() == LiveSettings.OnMissing.FAIL) {
			throw new RuleSourceException(message, new IllegalStateException(reason));
		}
		boolean cached = this.settings.onMissing() == LiveSettings.OnMissing.CACHE && adoptCached();
		logger.warn(message + ((cached) ? "" : "; starting with the rules of the application"));
		return cached;
	}

	private enum Outcome {

		NONE, ADOPTED, REJECTED, ABSENT

	}

	/**
	 * Reads the versions that this instance has missed. Clients may still be counted in
	 * the buckets of these versions.
	 *
	 * @param source the source
	 * @param time the clock of the instance
	 */
	private record FormerDocuments(RuleSource source, Time time) {

		private static final Log logger = LogFactory.getLog(FormerDocuments.class);

		/** The maximum number of versions, equal to that of former limits. */
		private static final int MAX = 4;

		/** The maximum time from the writing of a version until it becomes active. */
		private static final long MAX_DELAY_MILLIS = 10_000;

		/**
		 * Return the documents that were active before a document.
		 * @param document the document
		 * @param applied the version that this instance applies; 0 for none
		 * @return the versions in between; none if the source does not keep its versions
		 */
		DocumentHistory before(RuleDocument document, long applied) {
			if (!(this.source instanceof WritableRuleSource writable)) {
				return DocumentHistory.NONE;
			}
			try {
				return before(writable, document, applied);
			}
			catch (RuleSourceException ex) {
				logger.warn("The former versions of the rules could not be read from " + this.source.name() + " ("
						+ ex.getMessage() + "); limits that were changed lately start full");
				return DocumentHistory.NONE;
			}
		}

		private DocumentHistory before(WritableRuleSource writable, RuleDocument document, long applied) {
			List<DocumentHistory.Former> former = new ArrayList<>();
			OptionalLong sinceNanos = OptionalLong.empty();
			for (RuleVersion version : writable.history(MAX + 1)) {
				if (version.version() == document.version()) {
					sinceNanos = sinceNanos(version.at());
				}
				else if (version.version() > applied && version.version() < document.version()) {
					long activeNanos = sinceNanos(version.at()).orElseGet(this.time::nanos);
					Optional<RuleDocument> found = writable.version(version.version());
					found.ifPresent((read) -> former.add(0, new DocumentHistory.Former(read, activeNanos)));
				}
			}
			return new DocumentHistory(former, sinceNanos);
		}

		// Empty if the version may not be active on all instances yet.
		private OptionalLong sinceNanos(Instant writtenAt) {
			OptionalLong nowMillis = this.source.nowMillis();
			long agoMillis = nowMillis.orElse(0) - writtenAt.toEpochMilli() - MAX_DELAY_MILLIS;
			return (nowMillis.isPresent() && agoMillis > 0)
					? OptionalLong.of(this.time.nanos() - TimeUnit.MILLISECONDS.toNanos(agoMillis))
					: OptionalLong.empty();
		}

	}

}
