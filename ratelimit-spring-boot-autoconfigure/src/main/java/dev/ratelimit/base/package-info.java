/**
 * Internal: the parts that the wiring of all capabilities shares: checks and findings,
 * conditions, permits, and access to Spring Security. May use rules. Entered by every
 * package that has beans.
 */
@NullMarked
package dev.ratelimit.base;

import org.jspecify.annotations.NullMarked;
