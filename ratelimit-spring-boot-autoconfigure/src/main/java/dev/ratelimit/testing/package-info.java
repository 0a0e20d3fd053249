/**
 * For the tests of applications: a clock that is set by hand, and assertions. Needs
 * {@code spring-boot-starter-test} on the class path.
 */
@NullMarked
package dev.ratelimit.testing;

import org.jspecify.annotations.NullMarked;
