/**
 * Support for tests of applications: a manual clock and assertions. Requires {@code
 * spring-boot-starter-test} on the classpath.
 */
@NullMarked
package dev.ratelimit.testing;

import org.jspecify.annotations.NullMarked;
