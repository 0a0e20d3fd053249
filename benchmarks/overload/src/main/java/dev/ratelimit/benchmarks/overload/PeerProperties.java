package dev.ratelimit.benchmarks.overload;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of a peer.
 *
 * @param seats requests at the same time, for the bulkheads
 * @param maxWait how long a request may wait for the bulkhead
 */
@ConfigurationProperties("benchmark.peer")
record PeerProperties(@DefaultValue("32") int seats, @DefaultValue("0ms") Duration maxWait) {

}
