/**
 * Subjects that rules ban, mark, or pause for a while: strikes, the store of bans, and
 * the copy that each instance looks them up in.
 */
@NullMarked
package dev.ratelimit.ban;

import org.jspecify.annotations.NullMarked;
