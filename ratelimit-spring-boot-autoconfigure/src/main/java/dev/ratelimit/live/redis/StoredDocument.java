package dev.ratelimit.live.redis;

import java.util.Map;
import java.util.OptionalLong;

import dev.ratelimit.live.RuleDocument;

/**
 * A document with the metadata of its version. Immutable.
 *
 * @param document the document
 * @param atMillis the time at which it was written, in milliseconds since the epoch
 * @param meta user, note, and changes, as JSON
 */
record StoredDocument(RuleDocument document, long atMillis, String meta) {

	/** The metadata of a document of which this instance knows only the content. */
	static final String UNKNOWN = "{\"user\":\"\",\"note\":\"\",\"changes\":[]}";

	long version() {
		return this.document.version();
	}

	/**
	 * Return the 48 bits of the digest that replies to polls contain.
	 */
	long shortDigest() {
		return Long.parseLong(this.document.digest(), 0, 12, 16);
	}

	/**
	 * Create a document with unreadable content, which can only be replaced as a whole.
	 * @param version its version
	 * @param digest its digest
	 */
	static StoredDocument unreadable(long version, String digest) {
		return new StoredDocument(new RuleDocument(version, digest, Map.of(), Map.of(), OptionalLong.empty()), 0,
				UNKNOWN);
	}

	/**
	 * Return this document with the times that Redis has set.
	 * @param writtenMillis the time at which it was written
	 * @param activate the time at which it becomes active; empty for immediate activation
	 */
	StoredDocument written(long writtenMillis, OptionalLong activate) {
		return new StoredDocument(new RuleDocument(version(), this.document.digest(), this.document.rules(),
				this.document.revisions(), activate), writtenMillis, this.meta);
	}

	// Limits the wait to that of a new version, because the clock may have been changed.
	StoredDocument activatingBy(long latestMillis) {
		OptionalLong activate = this.document.activateAtMillis();
		if (activate.isEmpty() || activate.getAsLong() <= latestMillis) {
			return this;
		}
		return new StoredDocument(new RuleDocument(version(), this.document.digest(), this.document.rules(),
				this.document.revisions(), OptionalLong.of(latestMillis)), this.atMillis, this.meta);
	}

}
