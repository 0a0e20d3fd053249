/**
 * Internal: protects this instance against more requests than it can process: how many it
 * processes at a time, and which of the others wait or are shed.
 */
@NullMarked
package dev.ratelimit.load;

import org.jspecify.annotations.NullMarked;
