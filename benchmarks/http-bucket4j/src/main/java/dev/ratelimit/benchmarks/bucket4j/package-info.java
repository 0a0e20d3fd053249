/**
 * The same application under the starter of bucket4j.
 */
@NullMarked
package dev.ratelimit.benchmarks.bucket4j;

import org.jspecify.annotations.NullMarked;
