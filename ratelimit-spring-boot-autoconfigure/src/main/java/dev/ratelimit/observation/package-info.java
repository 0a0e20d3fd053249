/**
 * Micrometer observations of decisions. May use the gate. Entered by the gate through
 * {@link dev.ratelimit.gate.PassageObserver}.
 */
@NullMarked
package dev.ratelimit.observation;

import org.jspecify.annotations.NullMarked;
