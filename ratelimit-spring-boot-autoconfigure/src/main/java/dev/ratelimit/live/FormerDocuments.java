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
 * Reads the versions that this instance has missed, so that it knows the buckets in which
 * clients are still counted that were last served under them.
 *
 * @param source the source
 * @param time the clock of the instance
 */
record FormerDocuments(RuleSource source, Time time) {

	private static final Log logger = LogFactory.getLog(FormerDocuments.class);

	/** Limits know as many former ones. */
	private static final int MAX = 4;

	/** No version becomes active later after it was written. */
	private static final long MAX_DELAY_MILLIS = 10_000;

	/**
	 * What was active before a document.
	 * @param document the document
	 * @param applied the version that this instance applies, 0 for none
	 * @return the versions between; none if the source does not keep its versions
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

	// Empty if the version may not be active everywhere yet.
	private OptionalLong sinceNanos(Instant writtenAt) {
		OptionalLong nowMillis = this.source.nowMillis();
		long agoMillis = nowMillis.orElse(0) - writtenAt.toEpochMilli() - MAX_DELAY_MILLIS;
		return (nowMillis.isPresent() && agoMillis > 0)
				? OptionalLong.of(this.time.nanos() - TimeUnit.MILLISECONDS.toNanos(agoMillis)) : OptionalLong.empty();
	}

}
