/**
 * Faults of a network, for tests.
 */
@NullMarked
package dev.ratelimit.test.fault;

import org.jspecify.annotations.NullMarked;
