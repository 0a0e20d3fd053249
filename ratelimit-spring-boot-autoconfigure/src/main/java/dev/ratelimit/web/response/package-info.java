/**
 * Internal: what clients receive: header fields, and the responses to rejected requests.
 * May use the gate and the engine, and knows neither servlets nor WebFlux. Entered by the
 * adapters.
 */
@NullMarked
package dev.ratelimit.web.response;

import org.jspecify.annotations.NullMarked;
