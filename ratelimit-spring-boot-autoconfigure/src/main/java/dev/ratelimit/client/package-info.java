/**
 * HTTP clients: retries of requests that a server rejected, and quotas of partners. May
 * use the wiring and the engine. Entered by interceptors of {@code RestClient} and
 * filters of {@code WebClient}.
 */
@NullMarked
package dev.ratelimit.client;

import org.jspecify.annotations.NullMarked;
