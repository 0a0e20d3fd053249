/**
 * What the code did before it was rearranged, recorded: it must do the same afterwards.
 */
@NullMarked
package dev.ratelimit.record;

import org.jspecify.annotations.NullMarked;
