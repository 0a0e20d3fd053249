package dev.ratelimit.live.redis;

import java.util.Map;
import java.util.OptionalLong;

import dev.ratelimit.live.RuleDocument;

/**
 * A document as it is kept. Immutable.
 *
 * @param document the document
 * @param atMillis when it was written, in milliseconds since the epoch
 * @param meta user, note, and changes, as JSON
 */
record StoredDocument(RuleDocument document, long atMillis, String meta) {

	/** Of a document of which this instance knows only the content. */
	static final String UNKNOWN = "{\"user\":\"\",\"note\":\"\",\"changes\":[]}";

	long version() {
		return this.document.version();
	}

	/**
	 * The 48 bits of the digest that polls reply.
	 */
	long shortDigest() {
		return Long.parseLong(this.document.digest(), 0, 12, 16);
	}

	/**
	 * A document whose content cannot be read, and is to be replaced as a whole.
	 * @param version its version
	 * @param digest its digest
	 */
	static StoredDocument unreadable(long version, String digest) {
		return new StoredDocument(new RuleDocument(version, digest, Map.of(), Map.of(), OptionalLong.empty()), 0,
				UNKNOWN);
	}

	/**
	 * The same, since Redis has it.
	 * @param writtenMillis when it was written
	 * @param activate when it becomes active; empty for at once
	 */
	StoredDocument written(long writtenMillis, OptionalLong activate) {
		return new StoredDocument(new RuleDocument(version(), this.document.digest(), this.document.rules(),
				this.document.revisions(), activate), writtenMillis, this.meta);
	}

	// No instance may wait longer than a new version waits: the clock may have been set.
	StoredDocument activatingBy(long latestMillis) {
		OptionalLong activate = this.document.activateAtMillis();
		if (activate.isEmpty() || activate.getAsLong() <= latestMillis) {
			return this;
		}
		return new StoredDocument(new RuleDocument(version(), this.document.digest(), this.document.rules(),
				this.document.revisions(), OptionalLong.of(latestMillis)), this.atMillis, this.meta);
	}

}
