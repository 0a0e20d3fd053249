package dev.ratelimit.live;

/**
 * Internal: the newest document of a source cannot be read. It can still be replaced as a
 * whole.
 */
public final class UnreadableRulesException extends RuleSourceException {

	private static final long serialVersionUID = 1L;

	private final long version;

	/**
	 * An exception.
	 * @param version the version of the document
	 * @param message the reason
	 * @param cause the cause
	 */
	public UnreadableRulesException(long version, String message, Throwable cause) {
		super(message + "; write a former version again, such as by POST versions/" + (version - 1), cause);
		this.version = version;
	}

	long version() {
		return this.version;
	}

}
