/**
 * A real Prometheus for tests, if it is installed.
 */
@NullMarked
package dev.ratelimit.test.prometheus;

import org.jspecify.annotations.NullMarked;
