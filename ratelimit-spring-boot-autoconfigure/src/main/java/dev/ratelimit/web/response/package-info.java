/**
 * Internal: the responses that clients receive: header fields, and rejections. May use
 * the gate and the engine, and knows neither servlets nor WebFlux. Entered by the
 * adapters.
 */
@NullMarked
package dev.ratelimit.web.response;

import org.jspecify.annotations.NullMarked;
