package dev.ratelimit.client;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.SplitPatterns;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A quota for the requests of the application's own HTTP clients.
 *
 * @param urls Patterns of the URLs that charge the quota, such as
 * https://api.partner.com/**.
 * @param rule Id of the rule, with 'programmatic: true' and 'key: global'.
 * @param maxWait Maximum time that a request waits for units of the rule, at most 1 hour.
 * By default, requests do not wait.
 * @param maxPause Maximum time that a 429 or 503 with Retry-After pauses the rule on all
 * instances, at most 24 hours; 0 to ignore these responses.
 */
record QuotaProperties(@DefaultValue List<String> urls, @DefaultValue("") String rule,
		@DefaultValue("0s") Duration maxWait, @DefaultValue("1m") Duration maxPause) {

	QuotaProperties {
		urls = SplitPatterns.rejoined(urls);
	}

	Quota quota(String name) {
		try {
			return new Quota(name, this.urls, this.rule, this.maxWait, this.maxPause);
		}
		catch (InvalidQuotaException ex) {
			throw new InvalidRuleException("ratelimit.client.quotas." + ex.setting(), ex.value(), ex.reason(),
					"Set another value, such as in docs/how-to/http-clients.md.");
		}
	}

}
