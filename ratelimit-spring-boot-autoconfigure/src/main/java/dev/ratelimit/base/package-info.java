/**
 * Internal: what the wiring of all capabilities shares: checks and findings, conditions,
 * permits, and what is read from Spring Security.
 */
@NullMarked
package dev.ratelimit.base;

import org.jspecify.annotations.NullMarked;
