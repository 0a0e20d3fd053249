/**
 * Internal: the adapter for gRPC servers: each call is an HTTP request with the method
 * POST at the gate. Entered by the interceptors.
 */
@NullMarked
package dev.ratelimit.web.grpc;

import org.jspecify.annotations.NullMarked;
