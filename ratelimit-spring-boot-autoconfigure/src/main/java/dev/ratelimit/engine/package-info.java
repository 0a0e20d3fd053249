/**
 * Rules and subjects in, charges to the store, a decision out.
 */
@NullMarked
package dev.ratelimit.engine;

import org.jspecify.annotations.NullMarked;
