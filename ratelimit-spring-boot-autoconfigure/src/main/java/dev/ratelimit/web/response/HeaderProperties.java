package dev.ratelimit.web.response;

import java.time.Duration;

import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.response.HeaderSettings.Format;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: rate limit headers.
 *
 * @param format Format of the rate limit headers: draft (RateLimit and RateLimit-Policy
 * as lists), legacy (X-RateLimit-*), both, draft-7, draft-6, or none.
 * @param onSuccess Whether responses to allowed requests have rate limit headers: always,
 * never, or only if no shared cache may store the response (when-private).
 * @param retryAfterJitter Maximum random time that is added to waits, in whole seconds,
 * so that clients do not retry at the same time.
 * @param reset Whether X-RateLimit-Reset is a time in epoch seconds, or a number of
 * seconds (delta).
 * @param bucket Whether to add X-RateLimit-Bucket, the id of the rule that has the most
 * restrictive limit.
 * @param partitionKeys Whether to add a keyed hash of the subject to each policy.
 * @param compatParams Whether to make RateLimit readable for parsers of draft 7.
 * @param serverTiming Whether to add Server-Timing to responses to requests that waited:
 * how long, in milliseconds.
 * @param names Names of the headers.
 */
public record HeaderProperties(@DefaultValue("both") Format format,
		@DefaultValue("always") HeaderSettings.OnSuccess onSuccess, @DefaultValue("0s") Duration retryAfterJitter,
		@DefaultValue("epoch") HeaderSettings.Reset reset, @DefaultValue("false") boolean bucket,
		@DefaultValue("false") boolean partitionKeys, @DefaultValue("false") boolean compatParams,
		@DefaultValue("false") boolean serverTiming,
		@NestedConfigurationProperty @DefaultValue HeaderNameProperties names) {

	private static final String PREFIX = "ratelimit.headers.";

	private static final Duration MAX_JITTER = Duration.ofHours(1);

	public HeaderProperties {
		boolean legacy = format == Format.LEGACY || format == Format.BOTH;
		boolean draft = format == Format.DRAFT || format == Format.BOTH;
		require(!bucket || legacy, "bucket", "true", "only the formats 'legacy' and 'both' contain this header",
				"Set 'ratelimit.headers.format' to one of these, or remove the property.");
		require(reset == HeaderSettings.Reset.EPOCH || legacy, "reset", "delta",
				"only the formats 'legacy' and 'both' support this",
				"Set 'ratelimit.headers.format' to one of these, or remove the property.");
		require(!partitionKeys || draft, "partition-keys", "true", "only the formats 'draft' and 'both' support this",
				"Set 'ratelimit.headers.format' to one of these, or remove the property.");
		require(!compatParams || draft, "compat-params", "true", "only the formats 'draft' and 'both' support this",
				"Set 'ratelimit.headers.format' to one of these, or remove the property.");
		require(isJitter(retryAfterJitter), "retry-after-jitter", retryAfterJitter.toString(),
				"it must be whole seconds, between 0 and 1 h", "Set the maximum jitter, such as 5s.");
	}

	/**
	 * The validated settings.
	 * @return the settings
	 */
	public HeaderSettings settings() {
		HeaderNames resolved = this.names
			.over((this.format != Format.DRAFT_6) ? HeaderNames.DEFAULT : HeaderNames.DRAFT_6);
		HeaderSettings settings = new HeaderSettings(this.format, resolved, this.onSuccess, this.bucket, this.reset,
				this.compatParams, this.serverTiming);
		this.names.check(HeaderFormat.of(settings).names());
		return settings;
	}

	public PartitionKeys partitionKeys(@Nullable String secret) {
		return (this.partitionKeys && secret != null) ? PartitionKeys.keyed(secret) : PartitionKeys.NONE;
	}

	private static boolean isJitter(Duration jitter) {
		return !jitter.isNegative() && jitter.toMillis() % 1000 == 0 && jitter.compareTo(MAX_JITTER) <= 0;
	}

	private static void require(boolean condition, String name, String value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException(PREFIX + name, value, reason, action);
		}
	}

}
