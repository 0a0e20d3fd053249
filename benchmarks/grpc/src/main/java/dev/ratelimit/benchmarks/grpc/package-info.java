/**
 * A server with a gRPC service of its own, and Envoy's rate limit service.
 */
@NullMarked
package dev.ratelimit.benchmarks.grpc;

import org.jspecify.annotations.NullMarked;
