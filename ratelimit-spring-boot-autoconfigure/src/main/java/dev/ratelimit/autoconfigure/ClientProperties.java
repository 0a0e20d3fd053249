package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.ratelimit.client.InvalidRetryException;
import dev.ratelimit.client.RetrySettings;
import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the application's own HTTP clients behave where they are limited.
 *
 * @param enabled Whether clients that are made by Boot's builders send refused requests
 * again.
 * @param maxAttempts How often a request is sent at most, the first time included.
 * @param maxWait Longest single wait, at most 24 hours; what a server demands above it is
 * not waited for.
 * @param maxTotalTime How long after its first attempt a request may still be sent again,
 * at most 24 hours.
 * @param backoff First wait where the server names none.
 * @param statuses Refusals after which a request is sent again, from 400 to 599. By
 * default, 429 and 503.
 * @param methods HTTP methods that are repeated; any other needs an Idempotency-Key. By
 * default, GET, HEAD, OPTIONS, PUT and DELETE.
 * @param budgetRatio How many retries each request of a client earns it, from 0 to 1.
 * @param budgetReserve How many retries a client may save up, and has at the start.
 * @param throttle Whether requests are held back while the server has nothing left.
 */
record ClientProperties(@DefaultValue("false") boolean enabled, @DefaultValue("3") int maxAttempts,
		@DefaultValue("60s") Duration maxWait, @DefaultValue("2m") Duration maxTotalTime,
		@DefaultValue("500ms") Duration backoff, @DefaultValue List<Integer> statuses,
		@DefaultValue List<String> methods, @DefaultValue("0.1") double budgetRatio,
		@DefaultValue("10") int budgetReserve, @DefaultValue("true") boolean throttle) {

	public ClientProperties {
		statuses = (!statuses.isEmpty()) ? List.copyOf(statuses) : List.copyOf(RetrySettings.DEFAULT.statuses());
		methods = (!methods.isEmpty()) ? List.copyOf(methods) : List.copyOf(RetrySettings.DEFAULT.methods());
		try {
			new RetrySettings(maxAttempts, maxWait, maxTotalTime, backoff, Set.copyOf(statuses), Set.copyOf(methods),
					budgetRatio, budgetReserve, throttle);
		}
		catch (InvalidRetryException ex) {
			throw new InvalidRuleException("ratelimit.client." + ex.setting(), ex.value(), ex.reason(),
					"Set another value, or leave it out for the default.");
		}
	}

	RetrySettings settings() {
		return new RetrySettings(this.maxAttempts, this.maxWait, this.maxTotalTime, this.backoff,
				Set.copyOf(this.statuses), Set.copyOf(this.methods), this.budgetRatio, this.budgetReserve,
				this.throttle);
	}

}
