/**
 * Internal: subjects that rules ban, mark, or pause for a while: strikes, the store of
 * bans, and the copy of the bans on each instance. May use the wiring, the engine, and
 * Redis. Entered by the gate through {@link dev.ratelimit.engine.SanctionKeeper}.
 */
@NullMarked
package dev.ratelimit.ban;

import org.jspecify.annotations.NullMarked;
