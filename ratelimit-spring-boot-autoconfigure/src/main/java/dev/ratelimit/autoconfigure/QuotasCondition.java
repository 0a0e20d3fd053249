package dev.ratelimit.autoconfigure;

/**
 * If there is a quota of HTTP clients.
 */
final class QuotasCondition extends WrittenCondition {

	static final String PROPERTY = "ratelimit.client.quotas.*";

	QuotasCondition() {
		super("quotas of HTTP clients", PROPERTY);
	}

}
