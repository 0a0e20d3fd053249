/**
 * Pure integer arithmetic of each algorithm: no clock, no I/O.
 */
@NullMarked
package dev.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;
