/**
 * HTTP client retries: retries requests that a server rejected, and delays requests that
 * it would reject.
 */
@NullMarked
package dev.ratelimit.client;

import org.jspecify.annotations.NullMarked;
