package dev.ratelimit.telemetry;

/**
 * A subject under a rule. Immutable.
 *
 * @param rule the rule's id
 * @param subject the subject
 */
record RuleSubject(String rule, String subject) {

	/** Neither ids nor canonical subjects contain a space. */
	private static final char SEPARATOR = ' ';

	/**
	 * Parse a text that {@link #text()} has returned.
	 * @param text the text
	 * @return the rule and its subject
	 */
	static RuleSubject of(String text) {
		int end = text.indexOf(SEPARATOR);
		return new RuleSubject(text.substring(0, Math.max(0, end)), text.substring(end + 1));
	}

	String text() {
		return this.rule + SEPARATOR + this.subject;
	}

}
