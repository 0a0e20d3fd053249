/**
 * A real browser for tests, if it is installed.
 */
@NullMarked
package dev.ratelimit.test.browser;

import org.jspecify.annotations.NullMarked;
