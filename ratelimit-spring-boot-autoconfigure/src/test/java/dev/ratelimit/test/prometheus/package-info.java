/**
 * A real Prometheus for tests, where there is one.
 */
@NullMarked
package dev.ratelimit.test.prometheus;

import org.jspecify.annotations.NullMarked;
