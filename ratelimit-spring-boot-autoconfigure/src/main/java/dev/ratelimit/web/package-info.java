/**
 * Internal: the part of the HTTP front that both stacks share: requests, matching by path
 * and handler, keys, costs, and explanations. May use the gate and the engine, and knows
 * neither servlets nor WebFlux. Entered by the adapters through
 * {@link dev.ratelimit.web.RequestGate}.
 */
@NullMarked
package dev.ratelimit.web;

import org.jspecify.annotations.NullMarked;
