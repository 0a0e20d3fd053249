package dev.ratelimit.client;

import dev.ratelimit.base.WrittenCondition;

/**
 * Internal: if there is a quota of HTTP clients.
 */
public final class QuotasCondition extends WrittenCondition {

	QuotasCondition() {
		super("quotas of HTTP clients", "ratelimit.client.quotas.*");
	}

}
