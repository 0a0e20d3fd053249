/**
 * Looks for what is configured, started, and yet not right.
 */
@NullMarked
package dev.ratelimit.doctor;

import org.jspecify.annotations.NullMarked;
