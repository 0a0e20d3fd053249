/**
 * Internal: what was seen of requests and rules, in counts, for the doctor.
 */
@NullMarked
package dev.ratelimit.web.observation;

import org.jspecify.annotations.NullMarked;
