package dev.ratelimit.benchmarks.overload;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of a peer.
 *
 * @param seats the number of concurrent requests, for the bulkheads
 * @param maxWait the maximum time that a request waits for the bulkhead
 */
@ConfigurationProperties("benchmark.peer")
record PeerProperties(@DefaultValue("32") int seats, @DefaultValue("0ms") Duration maxWait) {

}
