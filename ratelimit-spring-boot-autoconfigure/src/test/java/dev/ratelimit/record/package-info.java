/**
 * Records of the behavior before a refactoring, which must not change.
 */
@NullMarked
package dev.ratelimit.record;

import org.jspecify.annotations.NullMarked;
