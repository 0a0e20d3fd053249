/**
 * Internal: a hash with a key of the process, for texts that clients choose. Uses
 * nothing. Entered by buckets and by the tables of capabilities.
 */
@NullMarked
package dev.ratelimit.hash;

import org.jspecify.annotations.NullMarked;
