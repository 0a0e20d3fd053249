package dev.ratelimit.benchmarks.overload;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the backend is like.
 *
 * @param slots requests that it works on at the same time
 * @param median the median of its service times
 * @param sigma the deviation of their logarithms
 */
@ConfigurationProperties("benchmark.backend")
record BackendProperties(@DefaultValue("32") int slots, @DefaultValue("20ms") Duration median,
		@DefaultValue("0.5") double sigma) {

}
