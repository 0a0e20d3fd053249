/**
 * Internal: hashes of texts that clients choose.
 */
@NullMarked
package dev.ratelimit.hash;

import org.jspecify.annotations.NullMarked;
