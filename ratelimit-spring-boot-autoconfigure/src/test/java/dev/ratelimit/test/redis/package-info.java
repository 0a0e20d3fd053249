/**
 * A real Redis for tests: in a container, from the path, or from a jar.
 */
@NullMarked
package dev.ratelimit.test.redis;

import org.jspecify.annotations.NullMarked;
