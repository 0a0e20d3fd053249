package dev.ratelimit.autoconfigure;

import java.time.Duration;

import dev.ratelimit.gate.PartitionKeys;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.web.HeaderNames;
import dev.ratelimit.web.HeaderSettings;
import dev.ratelimit.web.HeaderSettings.Format;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What clients are told in header fields.
 *
 * @param format Which fields: draft (RateLimit and RateLimit-Policy as lists), legacy
 * (X-RateLimit-*), both, draft-7, draft-6, or none.
 * @param onSuccess Whether admitted requests are told where they stand: always, never, or
 * unless a shared cache may store the response.
 * @param retryAfterJitter Most that is added to waits, in whole seconds, so that those
 * who wait do not come back at once.
 * @param reset Whether X-RateLimit-Reset is in epoch seconds, or in seconds from now
 * (delta).
 * @param bucket Whether X-RateLimit-Bucket tells the id of the rule that binds first.
 * @param partitionKeys Whether a keyed hash of whose bucket it is goes with each policy.
 * @param compatParams Whether RateLimit also has what parsers of draft 7 look for.
 * @param names How the fields are called.
 */
record HeaderProperties(@DefaultValue("both") Format format, @DefaultValue("always") HeaderSettings.OnSuccess onSuccess,
		@DefaultValue("0s") Duration retryAfterJitter, @DefaultValue("epoch") HeaderSettings.Reset reset,
		@DefaultValue("false") boolean bucket, @DefaultValue("false") boolean partitionKeys,
		@DefaultValue("false") boolean compatParams,
		@NestedConfigurationProperty @DefaultValue HeaderNameProperties names) {

	private static final String PREFIX = "ratelimit.headers.";

	private static final Duration LONGEST_JITTER = Duration.ofHours(1);

	public HeaderProperties {
		boolean legacy = format == Format.LEGACY || format == Format.BOTH;
		boolean draft = format == Format.DRAFT || format == Format.BOTH;
		require(!bucket || legacy, "bucket", "true", "only the formats legacy and both have that field",
				"Set 'ratelimit.headers.format' to one of these, or leave the property out.");
		require(reset == HeaderSettings.Reset.EPOCH || legacy, "reset", "delta",
				"only the formats legacy and both have a choice",
				"Set 'ratelimit.headers.format' to one of these, or leave the property out.");
		require(!partitionKeys || draft, "partition-keys", "true",
				"only the formats draft and both have a place for it",
				"Set 'ratelimit.headers.format' to one of these, or leave the property out.");
		require(!compatParams || draft, "compat-params", "true", "only the formats draft and both need it",
				"Set 'ratelimit.headers.format' to one of these, or leave the property out.");
		require(isJitter(retryAfterJitter), "retry-after-jitter", retryAfterJitter.toString(),
				"it must be whole seconds, from 0 to 1 hour", "Set how far waits may be spread, such as 5s.");
	}

	/**
	 * What is told, checked.
	 * @return the settings
	 */
	HeaderSettings settings() {
		HeaderNames resolved = this.names
			.over((this.format != Format.DRAFT_6) ? HeaderNames.DEFAULT : HeaderNames.DRAFT_6);
		HeaderSettings settings = new HeaderSettings(this.format, resolved, this.onSuccess, this.bucket, this.reset,
				this.compatParams);
		this.names.check(settings.fieldNames());
		return settings;
	}

	static PartitionKeys partitionKeys(RateLimitProperties properties) {
		String secret = properties.secret();
		return (properties.headers().partitionKeys() && secret != null) ? PartitionKeys.keyed(secret)
				: PartitionKeys.NONE;
	}

	private static boolean isJitter(Duration jitter) {
		return !jitter.isNegative() && jitter.toMillis() % 1000 == 0 && jitter.compareTo(LONGEST_JITTER) <= 0;
	}

	private static void require(boolean condition, String name, String value, String reason, String action) {
		if (!condition) {
			throw new InvalidRuleException(PREFIX + name, value, reason, action);
		}
	}

}
