package dev.ratelimit.live;

import java.util.Map;
import java.util.OptionalLong;

/**
 * Internal: thrown if the newest document of a source cannot be read. The document can
 * still be replaced as a whole.
 */
public final class UnreadableRulesException extends RuleSourceException {

	private static final long serialVersionUID = 1L;

	private final long version;

	private final String digest;

	/**
	 * Create an exception.
	 * @param version the version of the document
	 * @param digest its digest
	 * @param message the reason
	 * @param cause the cause
	 */
	public UnreadableRulesException(long version, String digest, String message, Throwable cause) {
		super(message + "; write a former version again, such as by POST versions/" + (version - 1), cause);
		this.version = version;
		this.digest = digest;
	}

	/**
	 * Return the document that a change of all rules replaces.
	 * @param rules the rules that are active instead
	 * @return a document with the version and the digest of the unreadable one
	 */
	public RuleDocument replaced(Map<String, Object> rules) {
		return new RuleDocument(this.version, this.digest, rules, Map.of(), OptionalLong.empty());
	}

}
