package dev.ratelimit.live.redis;

/**
 * Thrown if the newest document in Redis cannot be read, because another program or
 * another version of this library wrote it.
 */
final class UnreadableDocumentException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final long version;

	private final String digest;

	UnreadableDocumentException(long version, String digest, IllegalArgumentException cause) {
		super(String.valueOf(cause.getMessage()), cause);
		this.version = version;
		this.digest = digest;
	}

	long version() {
		return this.version;
	}

	String digest() {
		return this.digest;
	}

	StoredDocument document() {
		return StoredDocument.unreadable(this.version, this.digest);
	}

}
