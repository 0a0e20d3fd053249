/**
 * Internal: finds what is configured and has no effect, or another one than intended. May
 * use what observes requests, rules, and stores. Entered by a task each minute, by the
 * fronts through {@link dev.ratelimit.web.RequestObserver}, and by the endpoint.
 */
@NullMarked
package dev.ratelimit.doctor;

import org.jspecify.annotations.NullMarked;
