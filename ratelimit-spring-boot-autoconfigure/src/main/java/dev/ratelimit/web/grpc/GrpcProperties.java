package dev.ratelimit.web.grpc;

import dev.ratelimit.base.PropertyChecks;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of gRPC services.
 *
 * @param enabled Whether rules apply to calls of the application's gRPC services.
 * @param maxWaiting Maximum number of threads that wait for calls at a time, for rules
 * with wait and for leaky-bucket.
 */
@ConfigurationProperties(prefix = "ratelimit.grpc", ignoreUnknownFields = false)
record GrpcProperties(@DefaultValue("true") boolean enabled, @DefaultValue("50") int maxWaiting) {

	public GrpcProperties {
		PropertyChecks.require(maxWaiting >= 0, "grpc.max-waiting", maxWaiting, "it must not be negative",
				"Set 0 to let no call wait.");
	}

}
