/**
 * What a store is asked and what it answers.
 */
@NullMarked
package dev.ratelimit.store;

import org.jspecify.annotations.NullMarked;
