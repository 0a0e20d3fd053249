package dev.ratelimit.client;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: the application's own HTTP clients: retries and quotas.
 *
 * @param enabled Whether HTTP clients built by Spring Boot's builders retry rejected
 * requests.
 * @param maxAttempts Maximum number of attempts of a request, including the first.
 * @param maxWait Maximum single wait, at most 24 hours. If a server requires a longer
 * wait, the request is not retried.
 * @param maxTotalTime Maximum time after the first attempt to start a retry, at most 24
 * hours.
 * @param backoff First wait if the server does not set one.
 * @param statuses Response statuses to retry, from 400 to 599. By default, 429 and 503.
 * @param methods HTTP methods to retry. Other methods require an Idempotency-Key. By
 * default, GET, HEAD, OPTIONS, PUT, and DELETE.
 * @param budgetRatio Number of retries that each request adds to the budget, from 0 to 1.
 * @param budgetReserve Maximum number of retries in the budget, and their number at
 * startup.
 * @param throttle Whether to delay requests while the server reports that nothing
 * remains.
 * @param quotas Quotas by name: requests to some URLs charge a rule before they are sent.
 * They do not require 'enabled'.
 */
@ConfigurationProperties(prefix = "ratelimit.client", ignoreUnknownFields = false)
public record ClientProperties(@DefaultValue("false") boolean enabled, @DefaultValue("3") int maxAttempts,
		@DefaultValue("60s") Duration maxWait, @DefaultValue("2m") Duration maxTotalTime,
		@DefaultValue("500ms") Duration backoff, @DefaultValue List<Integer> statuses,
		@DefaultValue List<String> methods, @DefaultValue("0.1") double budgetRatio,
		@DefaultValue("10") int budgetReserve, @DefaultValue("true") boolean throttle,
		@DefaultValue Map<String, QuotaProperties> quotas) {

	public ClientProperties {
		statuses = (!statuses.isEmpty()) ? List.copyOf(statuses) : List.copyOf(RetrySettings.DEFAULT.statuses());
		methods = (!methods.isEmpty()) ? List.copyOf(methods) : List.copyOf(RetrySettings.DEFAULT.methods());
		try {
			new RetrySettings(maxAttempts, maxWait, maxTotalTime, backoff, Set.copyOf(statuses), Set.copyOf(methods),
					budgetRatio, budgetReserve, throttle);
		}
		catch (InvalidRetryException ex) {
			throw new InvalidRuleException("ratelimit.client." + ex.setting(), ex.value(), ex.reason(),
					"Set another value, or remove it to use the default.");
		}
	}

	List<Quota> writtenQuotas() {
		return this.quotas.entrySet().stream().map((entry) -> entry.getValue().quota(entry.getKey())).toList();
	}

	RetrySettings settings() {
		return new RetrySettings(this.maxAttempts, this.maxWait, this.maxTotalTime, this.backoff,
				Set.copyOf(this.statuses), Set.copyOf(this.methods), this.budgetRatio, this.budgetReserve,
				this.throttle);
	}

}
