/**
 * Live rules in a file that is watched.
 */
@NullMarked
package dev.ratelimit.live.file;

import org.jspecify.annotations.NullMarked;
