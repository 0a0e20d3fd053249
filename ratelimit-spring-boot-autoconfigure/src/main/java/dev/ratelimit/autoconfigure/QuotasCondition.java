package dev.ratelimit.autoconfigure;

/**
 * If there is a quota of HTTP clients.
 */
final class QuotasCondition extends WrittenCondition {

	QuotasCondition() {
		super("quotas of HTTP clients", "ratelimit.client.quotas.*");
	}

}
