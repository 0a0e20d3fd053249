/**
 * A real browser for tests, where there is one.
 */
@NullMarked
package dev.ratelimit.test.browser;

import org.jspecify.annotations.NullMarked;
