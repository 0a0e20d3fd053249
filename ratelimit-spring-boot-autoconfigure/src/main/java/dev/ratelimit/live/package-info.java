/**
 * Rules that change while the application runs: sources, edits, and switches.
 */
@NullMarked
package dev.ratelimit.live;

import org.jspecify.annotations.NullMarked;
