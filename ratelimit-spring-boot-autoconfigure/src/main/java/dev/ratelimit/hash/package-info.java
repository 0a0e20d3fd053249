/**
 * Internal: hashes with a key, for texts that clients choose. The key is that of the
 * process in tables, and the application's secret in names. Uses no other package.
 * Entered by buckets, names of replay markers and partitions, and the tables of
 * capabilities.
 */
@NullMarked
package dev.ratelimit.hash;

import org.jspecify.annotations.NullMarked;
