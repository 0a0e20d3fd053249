package dev.ratelimit.web.grpc;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Internal: limits of gRPC services.
 *
 * @param enabled Whether rules apply to calls of the application's gRPC services.
 * @param maxWaiting Maximum number of threads that wait for calls at a time, for rules
 * with wait and for leaky-bucket.
 */
@ConfigurationProperties(prefix = "ratelimit.grpc", ignoreUnknownFields = false)
public record GrpcProperties(@DefaultValue("true") boolean enabled, @DefaultValue("50") int maxWaiting) {

	public GrpcProperties {
		if (maxWaiting < 0) {
			throw new IllegalArgumentException(
					"'ratelimit.grpc.max-waiting' (" + maxWaiting + ") must not be negative");
		}
	}

}
