/**
 * Tests that the documentation is correct.
 */
@NullMarked
package dev.ratelimit.docs;

import org.jspecify.annotations.NullMarked;
