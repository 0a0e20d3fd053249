/**
 * Internal: Envoy's rate limit service, version 3: calls of Envoy are decided by rules
 * with {@code descriptor}. Entered by gRPC servers through a
 * {@link io.grpc.BindableService}. Does not need the web.
 */
@NullMarked
package dev.ratelimit.envoy;

import org.jspecify.annotations.NullMarked;
