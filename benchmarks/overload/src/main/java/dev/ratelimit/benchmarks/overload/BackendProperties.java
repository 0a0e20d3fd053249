package dev.ratelimit.benchmarks.overload;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the backend.
 *
 * @param slots the number of requests that the backend processes at the same time
 * @param median the median of the service times
 * @param sigma the standard deviation of the logarithms of the service times
 */
@ConfigurationProperties("benchmark.backend")
record BackendProperties(@DefaultValue("32") int slots, @DefaultValue("20ms") Duration median,
		@DefaultValue("0.5") double sigma) {

}
