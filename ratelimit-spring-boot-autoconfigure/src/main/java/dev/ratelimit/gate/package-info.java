/**
 * Internal: the gate that all fronts share: the rules that match a call become one
 * decision. May use the engine, and knows neither HTTP nor Spring. Entered by the fronts,
 * which implement {@link dev.ratelimit.gate.Call}.
 */
@NullMarked
package dev.ratelimit.gate;

import org.jspecify.annotations.NullMarked;
