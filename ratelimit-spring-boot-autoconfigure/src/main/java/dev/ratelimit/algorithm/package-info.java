/**
 * Integer arithmetic of each algorithm, without a clock and without I/O. Uses only the
 * public API. Entered by stores, which keep the states.
 */
@NullMarked
package dev.ratelimit.algorithm;

import org.jspecify.annotations.NullMarked;
