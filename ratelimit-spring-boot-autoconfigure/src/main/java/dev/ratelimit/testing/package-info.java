/**
 * Support for tests of applications: a manual clock, a store, and assertions. Requires
 * {@code spring-boot-starter-test} on the classpath, and may use the store in memory.
 * Entered by {@link dev.ratelimit.testing.AutoConfigureRateLimit}.
 */
@NullMarked
package dev.ratelimit.testing;

import org.jspecify.annotations.NullMarked;
