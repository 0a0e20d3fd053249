/**
 * The application that the gRPC benchmark calls: a server with its own gRPC service and
 * with Envoy's rate limit service.
 */
@NullMarked
package dev.ratelimit.benchmarks.grpc;

import org.jspecify.annotations.NullMarked;
