package dev.ratelimit.ban;

import dev.ratelimit.base.PropertyChecks;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: bans, marks, and pauses.
 *
 * @param enabled Whether clients can be banned, marked, and paused. By default, if a rule
 * below ratelimit.rules has the property ban, or if there are ratelimit.client.quotas.
 * @param max Maximum number of clients that are banned, marked, or paused at a time.
 * @param perMinute Maximum number of new bans per minute and rule, over all instances.
 */
@ConfigurationProperties(prefix = "ratelimit.bans", ignoreUnknownFields = false)
public record BansProperties(@Nullable Boolean enabled, @DefaultValue("100000") int max,
		@DefaultValue("100") int perMinute) {

	public BansProperties {
		PropertyChecks.require(max >= 1, "bans.max", max, "it must be positive",
				"Set the maximum number of bans, such as 100000.");
		PropertyChecks.require(perMinute >= 1, "bans.per-minute", perMinute, "it must be positive",
				"Set the maximum number of new bans per minute and rule, such as 100.");
	}

}
