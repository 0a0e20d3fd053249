/**
 * Internal: the gate that all fronts share. It makes one decision from all rules that
 * match a call. May use the engine, and knows neither HTTP nor Spring. Entered by the
 * fronts, which implement {@link dev.ratelimit.gate.Call}.
 */
@NullMarked
package dev.ratelimit.gate;

import org.jspecify.annotations.NullMarked;
