package dev.ratelimit.client;

import dev.ratelimit.base.WrittenCondition;

/**
 * Matches if there is a quota of HTTP clients.
 */
final class QuotasCondition extends WrittenCondition {

	QuotasCondition() {
		super("quotas of HTTP clients", "ratelimit.client.quotas.*");
	}

}
