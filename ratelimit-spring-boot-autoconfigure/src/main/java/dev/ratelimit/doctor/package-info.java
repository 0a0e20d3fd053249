/**
 * Internal: finds configurations that have no effect, or an unintended one. May use the
 * observers of requests, rules, and stores. Entered by a periodic task, by the fronts
 * through {@link dev.ratelimit.web.RequestObserver}, and by the endpoint.
 */
@NullMarked
package dev.ratelimit.doctor;

import org.jspecify.annotations.NullMarked;
